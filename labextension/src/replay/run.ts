import type { ICodeCellModel } from '@jupyterlab/cells';
import type { IOutput } from '@jupyterlab/nbformat';
import { KernelMessage } from '@jupyterlab/services';
import { JSONExt } from '@lumino/coreutils';
import type { PartialJSONObject } from '@lumino/coreutils';

import type { RunOutputs } from '../schemas/control.v1.schema';

/** Messages that are an output of their run. */
type OutputMessage =
  | KernelMessage.IStreamMsg
  | KernelMessage.IDisplayDataMsg
  | KernelMessage.IExecuteResultMsg
  | KernelMessage.IErrorMsg;

/**
 * A run that is shown in its notebook cell: first what was missed, then what comes. JupyterLab itself
 * does the latter only for the page that sent the request, and the former for none.
 */
export class FollowedRun {
  /** `_isOwn`: this page has sent the request, and JupyterLab shows the outputs that come. */
  constructor(
    private readonly _told: RunOutputs,
    private readonly _isOwn: boolean
  ) {}

  get notebookCell(): string {
    return this._told.notebook_cell;
  }

  /** Make the cell complete. Doing it twice changes nothing. */
  show(cell: ICodeCellModel): void {
    const outputs = this._told.outputs.map(output => output as PartialJSONObject);
    this._displays.clear();
    this._clearsNext = false;
    // They come from the kernel just as if the cell had been run here.
    cell.trusted = true;
    const first = this._told.adds ? cell.outputs.length : 0;
    const saved = outputs.map(withoutTransient);
    if (this._told.adds) {
      saved.forEach(output => cell.outputs.add(output));
    } else if (!JSONExt.deepEqual(cell.outputs.toJSON(), saved)) {
      cell.outputs.fromJSON(saved);
    }
    outputs.forEach((output, index) => {
      this._remember(output, first + index);
    });
    this._showExecution(cell, this._told.in_foreground);
  }

  /** Take a message whose parent is this run. */
  take(cell: ICodeCellModel, message: KernelMessage.IIOPubMessage): void {
    if (KernelMessage.isClearOutputMsg(message)) {
      this._clear(cell, message.content.wait);
    } else if (KernelMessage.isStatusMsg(message)) {
      if (message.content.execution_state === 'idle') {
        this._showExecution(cell, false);
      }
    } else if (isOutput(message)) {
      if (this._clearsNext) {
        this._displays.clear();
        this._clearsNext = false;
      }
      if (!this._isOwn) {
        this._add(cell, { ...message.content, output_type: message.header.msg_type });
      }
    }
  }

  /** Replace a display of this run, whichever request says so. */
  update(cell: ICodeCellModel, message: KernelMessage.IUpdateDisplayDataMsg): void {
    const { data, metadata, transient } = message.content;
    for (const index of this._displays.get(transient.display_id) ?? []) {
      if (index < cell.outputs.length) {
        cell.outputs.set(index, { output_type: 'display_data', data, metadata });
      }
    }
  }

  /** The kernel is gone: nothing runs any more. */
  end(cell: ICodeCellModel): void {
    if (cell.executionState === 'running') {
      cell.executionState = 'idle';
    }
  }

  private _add(cell: ICodeCellModel, output: PartialJSONObject): void {
    const count = cell.outputs.add(withoutTransient(output));
    this._remember(output, count - 1);
  }

  private _clear(cell: ICodeCellModel, wait: boolean): void {
    if (!this._isOwn) {
      cell.outputs.clear(wait);
    }
    if (wait) {
      this._clearsNext = true;
    } else {
      this._displays.clear();
    }
  }

  private _remember(output: PartialJSONObject, index: number): void {
    const transient = output.transient as { display_id?: string } | undefined;
    if (transient?.display_id) {
      const indices = this._displays.get(transient.display_id) ?? [];
      this._displays.set(transient.display_id, [...indices, index]);
    }
  }

  private _showExecution(cell: ICodeCellModel, isRunning: boolean): void {
    cell.executionState = isRunning ? 'running' : 'idle';
    const count = isRunning ? null : this._told.execution_count;
    if (cell.executionCount !== count) {
      cell.executionCount = count;
    }
  }

  /** Indices of the outputs that a display id names. */
  private readonly _displays = new Map<string, readonly number[]>();
  private _clearsNext = false;
}

function isOutput(message: KernelMessage.IIOPubMessage): message is OutputMessage {
  return (
    KernelMessage.isStreamMsg(message) ||
    KernelMessage.isDisplayDataMsg(message) ||
    KernelMessage.isExecuteResultMsg(message) ||
    KernelMessage.isErrorMsg(message)
  );
}

function withoutTransient(output: PartialJSONObject): IOutput {
  const { transient, ...saved } = output;
  return saved as IOutput;
}
