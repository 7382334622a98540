import assert from 'node:assert/strict';
import { test } from 'node:test';

import { count, cut, duration, moment, size } from '../src/record/quantities';

const DURATIONS: [number, string][] = [
  [0, '0 ms'],
  [0.0123, '12 ms'],
  [0.9994, '999 ms'],
  [0.9996, '1 s'],
  [3.42, '3.4 s'],
  [59.96, '1 min 0 s'],
  [125, '2 min 5 s'],
  [3599.7, '1 h 0 min'],
  [7322, '2 h 2 min']
];

const SIZES: [number, string][] = [
  [1, '1 byte'],
  [999, '999 bytes'],
  [31_400, '31 kB'],
  [999_600, '1 MB'],
  [1_240_000, '1.2 MB']
];

for (const [seconds, words] of DURATIONS) {
  test(`${String(seconds)} seconds read ${words}`, () => {
    assert.equal(duration(seconds), words);
  });
}

for (const [bytes, words] of SIZES) {
  test(`${String(bytes)} bytes read ${words}`, () => {
    assert.equal(size(bytes), words);
  });
}

test('only one thing is singular', () => {
  assert.deepEqual(
    [0, 1, 12_000].map(n => count(n, 'call')),
    ['0 calls', '1 call', '12,000 calls']
  );
});

test('a long text is cut, and says by how much', () => {
  assert.equal(cut('abcdef', 6), 'abcdef');
  assert.equal(cut('abcdef', 2), 'ab\n… 4 more characters');
});

test('a moment is written in words, and what is none is left as it is', () => {
  assert.match(moment('2026-01-31T12:00:00.000Z'), /2026/);
  assert.equal(moment('yesterday'), 'yesterday');
});
