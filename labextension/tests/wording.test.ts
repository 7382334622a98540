import assert from 'node:assert/strict';
import { test } from 'node:test';

import { duration, explanation, stateOf, summary } from '../src/status/wording';
import { aCell } from './cells';

test('the item counts what runs and what waits', () => {
  assert.equal(summary(2, 1), 'Code Mode: 2 running, 1 waiting');
  assert.equal(summary(0, 3), 'Code Mode: 3 waiting');
  assert.equal(summary(0, 0), 'Code Mode: nothing runs');
  assert.equal(explanation(2, 1), '2 cells running\n1 cell ended, to be collected with %wait');
  assert.equal(explanation(0, 0), 'No cell runs or waits to be collected.');
});

test('a running cell says how long, counted on from when it was told, and what it waits for', () => {
  const cell = { ...aCell(), toldAt: 1000 };
  assert.equal(stateOf(cell, 4000), 'running 5 s');
  assert.equal(stateOf({ ...cell, open_calls: 2 }, 1000), 'running 2 s, waiting for 2 tool calls');
  assert.equal(
    stateOf({ ...cell, open_calls: 1, asking: 1 }, 1000),
    'running 2 s, waiting for your answer'
  );
});

test('an ended cell says how it ended and how it is collected', () => {
  const cell = { ...aCell({ stage: 'ended', status: 'failed' }), toldAt: 0 };
  assert.equal(stateOf(cell, 0), 'failed, to be collected with %wait 1');
});

test('lengths of time read as in the footers', () => {
  assert.deepEqual([0.4, 59, 185, 3661].map(duration), ['0 s', '59 s', '3 min 5 s', '1 h 1 min']);
});
