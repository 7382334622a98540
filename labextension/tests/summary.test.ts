import assert from 'node:assert/strict';
import { test } from 'node:test';

import { summaryOf } from '../src/record/summary';
import { aCall, aRecord } from './records';

test('an ordinary cell says how it ended and how long it took', () => {
  assert.deepEqual(summaryOf(aRecord()), {
    status: 'completed',
    facts: ['Completed', '340 ms']
  });
});

test('tokens and calls are counted, those that did not end well by themselves', () => {
  const outcomes = ['ok', 'error', 'cancelled', 'unknown'] as const;
  const calls = outcomes.map(outcome => aCall({ outcome }));
  const { facts } = summaryOf(aRecord({ status: 'failed', tokens: 1240, calls }));
  assert.deepEqual(facts, [
    'Failed',
    '340 ms',
    '1,240 tokens',
    '4 calls',
    '1 failed',
    '1 cancelled',
    '1 with an unknown outcome'
  ]);
});

test('a call that was refused has not failed', () => {
  const refused = aCall({ outcome: 'error', approval: { decision: 'refused' } });
  const { facts } = summaryOf(aRecord({ calls: [refused, aCall({ outcome: 'error' })] }));
  assert.deepEqual(facts.slice(2), ['2 calls', '1 failed', '1 refused']);
});

test('calls that the record leaves out are counted too', () => {
  const { facts } = summaryOf(aRecord({ calls: [aCall()], left_out: { calls: 41 } }));
  assert.equal(facts.at(-1), '42 calls');
});

test('what became of calls that the record leaves out is counted too', () => {
  const calls = [aCall({ outcome: 'error' }), aCall({ outcome: 'unknown' })];
  const left = { calls: 41, calls_failed: 2, calls_refused: 3, calls_cancelled: 4 };
  const { facts } = summaryOf(aRecord({ calls, left_out: left }));
  assert.deepEqual(facts.slice(-5), [
    '43 calls',
    '3 failed',
    '3 refused',
    '4 cancelled',
    '1 with an unknown outcome'
  ]);
});

test('a cell that went on says when it yielded', () => {
  const { facts } = summaryOf(aRecord({ status: 'running', tokens: 0 }));
  assert.deepEqual(facts, ['Yielded after 340 ms']);
});

test('a wait names the cell that it waited for', () => {
  const { facts } = summaryOf(aRecord({ kind: 'wait', status: 'running' }));
  assert.equal(facts[0], 'Cell 3 is still running');
});

test('a truncated output says how much of it a model got', () => {
  const sizes = { tokens: 10_000, emitted_tokens: 24_000 };
  assert.equal(
    summaryOf(aRecord({ truncated: true, ...sizes })).truncated,
    'A model got 10,000 of 24,000 tokens of this'
  );
  assert.equal(summaryOf(aRecord({ truncated: true })).truncated, 'A model got a part of this');
});
