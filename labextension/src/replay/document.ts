import type { ISessionContext } from '@jupyterlab/apputils';
import type { ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookModel } from '@jupyterlab/notebook';
import { KernelMessage } from '@jupyterlab/services';

import type { Attachment } from '../control/attachment';
import type { Replay, RunOutputs } from '../schemas/control.v1.schema';
import { FollowedRun } from './run';

/**
 * The runs that one document follows.
 *
 * The kernel names a run by the message id of its execute request, so the later messages are found
 * by their parent, in the same stream as the replay itself: what comes after it is new.
 */
export class ReplayedDocument {
  constructor(private readonly _attachment: Attachment) {
    _attachment.replayed.connect(this._show, this);
    _attachment.lost.connect(this._onLost, this);
    _attachment.rejoined.connect(this._onRejoined, this);
    _attachment.context.sessionContext.iopubMessage.connect(this._onMessage, this);
  }

  get model(): INotebookModel {
    return this._attachment.context.model;
  }

  /** This page runs the cell itself; JupyterLab shows its outputs from now on. */
  leave(notebookCell: string): void {
    this._own.add(notebookCell);
    this._doubtful.delete(notebookCell);
    for (const [id, run] of this._runs) {
      if (run.notebookCell === notebookCell) {
        this._runs.delete(id);
      }
    }
  }

  private _show(_: Attachment, replay: Replay): void {
    for (const told of replay.runs) {
      const cell = this._cell(told.notebook_cell);
      if (cell && this._isWanted(told)) {
        const isOwn = this._doubtful.delete(told.notebook_cell);
        const run = new FollowedRun(told, isOwn);
        this._runs.set(told.run, run);
        run.show(cell);
      }
    }
  }

  /** In a shared document, outputs that another page shows come by themselves. */
  private _isWanted(told: RunOutputs): boolean {
    const comesByItself = told.shown_elsewhere && this.model.collaborative;
    const isComplete = this._own.has(told.notebook_cell) && !this._doubtful.has(told.notebook_cell);
    return !comesByItself && !isComplete;
  }

  private _onMessage(_: ISessionContext, message: KernelMessage.IMessage): void {
    if (!this._runs.size || message.channel !== 'iopub') {
      return;
    }
    const output = message as KernelMessage.IIOPubMessage;
    if (KernelMessage.isUpdateDisplayDataMsg(output)) {
      this._each((run, cell) => {
        run.update(cell, output);
      });
      return;
    }
    const parent = 'msg_id' in output.parent_header ? output.parent_header.msg_id : '';
    const run = this._runs.get(parent);
    const cell = run && this._cell(run.notebookCell);
    if (cell) {
      run.take(cell, output);
    }
  }

  private _onLost(): void {
    this._each((run, cell) => {
      run.end(cell);
    });
    this._runs.clear();
    this._own.clear();
    this._doubtful.clear();
  }

  private _onRejoined(): void {
    this._own.forEach(cell => this._doubtful.add(cell));
  }

  private _each(action: (run: FollowedRun, cell: ICodeCellModel) => void): void {
    for (const run of this._runs.values()) {
      const cell = this._cell(run.notebookCell);
      if (cell) {
        action(run, cell);
      }
    }
  }

  /** Looked up each time: a cell that is moved gets another model, one that is deleted has none. */
  private _cell(id: string): ICodeCellModel | null {
    for (const cell of this.model.cells) {
      if (cell.id === id) {
        return cell.type === 'code' ? (cell as ICodeCellModel) : null;
      }
    }
    return null;
  }

  private readonly _runs = new Map<string, FollowedRun>();
  /** Notebook cells that were run in this page since it is attached. */
  private readonly _own = new Set<string>();
  /** Those of them that may lack something, as the page was cut off. */
  private readonly _doubtful = new Set<string>();
}
