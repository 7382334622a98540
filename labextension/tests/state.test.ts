import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KernelState } from '../src/control/state';
import type { CellFacts, Events } from '../src/schemas/control.v1.schema';
import { aCell, aQuestion, aSnapshot } from './cells';

function told(sequence: number, ...cells: CellFacts[]): Events {
  return { type: 'events', sequence, cells: cells.map(cell => ({ cell, happened: [] })) };
}

function serials(state: KernelState): number[] {
  return state.cells.map(cell => cell.serial);
}

test('events change the cells of the snapshot, and add others, oldest first', () => {
  const state = new KernelState();
  state.replace(aSnapshot(4, aCell({ serial: 2 }), aCell({ serial: 1 })));
  assert.ok(state.apply(told(5, aCell({ serial: 3 }), aCell({ serial: 2, stage: 'ended' }))));
  assert.deepEqual(serials(state), [1, 2, 3]);
  assert.equal(state.cells[1]?.stage, 'ended');
});

test('a cell that was collected or forgotten is not kept', () => {
  const state = new KernelState();
  state.replace(aSnapshot(0, aCell({ serial: 1 }), aCell({ serial: 2 }), aCell({ serial: 3 })));
  state.apply(told(1, aCell({ stage: 'collected' }), aCell({ serial: 2, stage: 'forgotten' })));
  assert.deepEqual(serials(state), [3]);
});

test('a gap in the sequence is told, once', () => {
  const state = new KernelState();
  state.replace(aSnapshot(7));
  assert.equal(state.apply(told(9)), false);
  assert.equal(state.apply(told(10)), true);
});

test('everybody who listens hears of each change', () => {
  const state = new KernelState();
  let count = 0;
  state.changed.connect(() => {
    count++;
  });
  state.replace(aSnapshot(0, aCell()));
  state.apply(told(1));
  state.clear();
  assert.equal(count, 3);
  assert.deepEqual(state.cells, []);
});

test('questions are replaced by those that follow, and by a snapshot', () => {
  const state = new KernelState();
  state.ask([aQuestion('1')]);
  state.ask([aQuestion('2')]);
  assert.deepEqual(
    state.questions.map(question => question.question_id),
    ['2']
  );
  state.replace(aSnapshot(0));
  assert.deepEqual(state.questions, []);
  state.ask([aQuestion('3')]);
  state.clear();
  assert.deepEqual(state.questions, []);
});
