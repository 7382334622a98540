import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import type { Attachment } from '../control/attachment';
import type { IAttachments } from '../control/attachments';
import type { KnownCell } from '../control/state';
import type { ShellFacts } from '../schemas/control.v1.schema';

/** What the status bar tells of the current notebook's kernel. */
export class StatusModel {
  constructor(
    private readonly _tracker: INotebookTracker,
    private readonly _attachments: IAttachments
  ) {
    _tracker.currentChanged.connect(this._choose, this);
    _attachments.added.connect(this._choose, this);
    this._choose();
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Whether there is anything to tell. */
  get isVisible(): boolean {
    return Boolean(this._attachment && (this._attachment.isAttached || this._attachment.problem));
  }

  /** Why the kernel is not attached; empty where it is. */
  get problem(): string {
    return this._attachment?.problem ?? '';
  }

  get cells(): readonly KnownCell[] {
    return this._attachment?.state.cells ?? [];
  }

  get shells(): readonly ShellFacts[] {
    return this._attachment?.state.shells ?? [];
  }

  /** Cells whose code runs. */
  get runningCount(): number {
    return this.cells.filter(isRunning).length;
  }

  /** Cells that have ended and wait to be collected. */
  get waitingCount(): number {
    return this.cells.length - this.runningCount;
  }

  /** End a cell; rejects with the reason when the kernel refuses. */
  async terminate(cell: KnownCell): Promise<void> {
    if (cell.cell_id !== null) {
      await this._attachment?.order({ type: 'terminate', cell_id: cell.cell_id });
    }
  }

  /** End a shell, likewise. */
  async stopShell(shell: ShellFacts): Promise<void> {
    await this._attachment?.order({ type: 'stop_shell', session_id: shell.session_id });
  }

  /** Show the notebook cell in which a cell was written. */
  reveal(cell: KnownCell): void {
    const notebook = this._tracker.currentWidget?.content;
    const index = notebook?.widgets.findIndex(({ model }) => model.id === cell.notebook_cell) ?? -1;
    if (notebook && index >= 0) {
      notebook.activeCellIndex = index;
      void notebook.scrollToItem(index);
    }
  }

  private _choose(): void {
    const panel: NotebookPanel | null = this._tracker.currentWidget;
    const chosen = panel ? this._attachments.of(panel) : undefined;
    if (chosen === this._attachment) {
      return;
    }
    this._attachment?.changed.disconnect(this._tell, this);
    this._attachment?.state.changed.disconnect(this._tell, this);
    this._attachment = chosen;
    chosen?.changed.connect(this._tell, this);
    chosen?.state.changed.connect(this._tell, this);
    this._tell();
  }

  private _tell(): void {
    this._changed.emit();
  }

  private readonly _changed = new Signal<this, void>(this);
  private _attachment: Attachment | undefined;
}

export function isRunning(cell: KnownCell): boolean {
  return cell.stage === 'starting' || cell.stage === 'running';
}
