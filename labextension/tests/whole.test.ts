import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Command } from '../src/control/messages';
import { wholeText } from '../src/output/whole';

test('a whole output is asked for piece by piece, each where the one before ended', async () => {
  const asked: Command[] = [];
  const answers = [
    { text: 'é', next_offset: 2 },
    { text: '€', next_offset: 5 },
    { text: '\n', next_offset: null }
  ];
  const whole = await wholeText(command => {
    const answer = answers[asked.length];
    asked.push(command);
    assert.ok(answer);
    return Promise.resolve({ type: 'capture_piece', id: '', ...answer });
  }, 'tmp/cell-3.txt');
  assert.equal(await whole.text(), 'é€\n');
  assert.deepEqual(
    asked,
    [0, 2, 5].map(offset => ({ type: 'read_capture', file: 'tmp/cell-3.txt', offset }))
  );
});
