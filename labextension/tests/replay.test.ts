import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ICodeCellModel } from '@jupyterlab/cells';
import { KernelMessage } from '@jupyterlab/services';

import { FollowedRun } from '../src/replay/run';
import type { RunOutputs } from '../src/schemas/control.v1.schema';

type Output = Record<string, unknown>;

/** As much of JupyterLab's output list as a run uses. */
class Outputs {
  list: Output[] = [];
  writes = 0;
  private _clearsNext = false;

  get length(): number {
    return this.list.length;
  }

  add(output: Output): number {
    this.writes++;
    if (this._clearsNext) {
      this.clear();
      this._clearsNext = false;
    }
    const last = this.list.at(-1);
    if (last && output.output_type === 'stream' && last.name === output.name) {
      last.text = `${String(last.text)}${String(output.text)}`;
    } else {
      this.list.push({ ...output });
    }
    return this.list.length;
  }

  set(index: number, output: Output): void {
    this.list[index] = output;
  }

  clear(wait = false): void {
    this._clearsNext = wait;
    if (!wait) {
      this.list = [];
    }
  }

  fromJSON(outputs: Output[]): void {
    this.clear();
    outputs.forEach(output => this.add(output));
  }

  toJSON(): Output[] {
    return this.list;
  }
}

class Cell {
  outputs = new Outputs();
  trusted = false;
  executionState = 'idle';
  executionCount: number | null = null;

  get model(): ICodeCellModel {
    return this as unknown as ICodeCellModel;
  }

  get texts(): unknown[] {
    return this.outputs.list.map(output => output.text ?? (output.data as Output)['text/plain']);
  }
}

function aRun(
  outputs: Output[],
  facts: Partial<RunOutputs> = {},
  { isOwn = false } = {}
): FollowedRun {
  const told = {
    run: 'r',
    notebook_cell: 'x',
    execution_count: 4,
    in_foreground: false,
    shown_elsewhere: false,
    outputs,
    ...facts
  };
  return new FollowedRun(told, isOwn);
}

const stream = (text: string): Output => ({ output_type: 'stream', name: 'stdout', text });

function display(plain: string, id?: string): Output {
  const transient = id ? { transient: { display_id: id } } : {};
  return { output_type: 'display_data', data: { 'text/plain': plain }, metadata: {}, ...transient };
}

function message(type: string, content: Output): KernelMessage.IIOPubMessage {
  return KernelMessage.createMessage({
    msgType: type,
    channel: 'iopub',
    session: 's',
    content
  } as unknown as KernelMessage.IOptions<KernelMessage.IStreamMsg>);
}

function update(plain: string, id: string): KernelMessage.IUpdateDisplayDataMsg {
  const content = display(plain, id);
  return message('update_display_data', content) as KernelMessage.IUpdateDisplayDataMsg;
}

test('a replay makes the cell complete, and a second one changes nothing', () => {
  const cell = new Cell();
  cell.outputs.fromJSON([stream('a')]);
  const run = aRun([stream('ab'), display('footer', 'd')]);
  run.show(cell.model);
  const { writes } = cell.outputs;
  run.show(cell.model);
  assert.deepEqual(cell.texts, ['ab', 'footer']);
  assert.equal(cell.outputs.writes, writes);
  assert.ok(cell.outputs.list.every(output => !('transient' in output)));
  assert.equal(cell.executionCount, 4);
  assert.ok(cell.trusted);
});

test('live output goes on where the replay ended, and idle gives the cell its number', () => {
  const cell = new Cell();
  const run = aRun([stream('a')], { in_foreground: true });
  run.show(cell.model);
  assert.deepEqual([cell.executionState, cell.executionCount], ['running', null]);
  run.take(cell.model, message('stream', { name: 'stdout', text: 'b' }));
  run.take(cell.model, message('status', { execution_state: 'idle' }));
  assert.deepEqual(cell.texts, ['ab']);
  assert.deepEqual([cell.executionState, cell.executionCount], ['idle', 4]);
});

test('an update replaces its display, of the replay or of later', () => {
  const cell = new Cell();
  const run = aRun([stream('a'), display('old', 'd')]);
  run.show(cell.model);
  run.take(cell.model, message('display_data', display('late', 'e')));
  run.update(cell.model, update('new', 'd'));
  run.update(cell.model, update('later', 'e'));
  run.update(cell.model, update('unknown', 'f'));
  assert.deepEqual(cell.texts, ['a', 'new', 'later']);
});

test('after a clear that waits, an update of what was cleared does nothing', () => {
  const cell = new Cell();
  const run = aRun([display('old', 'd')]);
  run.show(cell.model);
  run.take(cell.model, message('clear_output', { wait: true }));
  run.take(cell.model, message('stream', { name: 'stdout', text: 'new' }));
  run.update(cell.model, update('ghost', 'd'));
  assert.deepEqual(cell.texts, ['new']);
});

test('a run of the page itself is made complete, and what comes then is left to JupyterLab', () => {
  const cell = new Cell();
  const run = aRun([stream('a'), display('old', 'd')], { in_foreground: true }, { isOwn: true });
  run.show(cell.model);
  run.take(cell.model, message('stream', { name: 'stdout', text: 'b' }));
  run.update(cell.model, update('new', 'd'));
  assert.deepEqual(cell.texts, ['a', 'new']);
  run.take(cell.model, message('clear_output', { wait: false }));
  run.update(cell.model, update('ghost', 'd'));
  run.take(cell.model, message('status', { execution_state: 'idle' }));
  assert.deepEqual(cell.texts, ['a', 'new']);
  assert.deepEqual([cell.executionState, cell.executionCount], ['idle', 4]);
});

test('outputs that only add to what the page has go below it', () => {
  const cell = new Cell();
  cell.outputs.fromJSON([display('kept')]);
  const run = aRun([display('footer', 'd')], { adds: true });
  run.show(cell.model);
  run.update(cell.model, update('live', 'd'));
  assert.deepEqual(cell.texts, ['kept', 'live']);
});

test('a kernel that is gone leaves no cell running', () => {
  const cell = new Cell();
  const run = aRun([], { in_foreground: true });
  run.show(cell.model);
  run.end(cell.model);
  assert.equal(cell.executionState, 'idle');
});
