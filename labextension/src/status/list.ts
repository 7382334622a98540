import { Widget } from '@lumino/widgets';

import type { KnownCell } from '../control/state';
import type { ShellFacts } from '../schemas/control.v1.schema';
import { isRunning } from './model';
import type { StatusModel } from './model';
import { stateOf } from './wording';

/** How often the running times are written anew, in milliseconds. */
const TICK_MS = 1000;

/** The list that the status item opens: cells and shells, each with a button that ends it. */
export class RunningList extends Widget {
  constructor(private readonly _model: StatusModel) {
    super();
    this.addClass('codemode-running');
    this.node.setAttribute('role', 'dialog');
    this.node.setAttribute('aria-label', 'Code Mode cells and shells');
    this.node.tabIndex = -1;
    this._refusal.setAttribute('role', 'alert');
    this._refusal.className = 'codemode-running-refusal';
    _model.changed.connect(this._draw, this);
    this._tick = window.setInterval(() => {
      this._tellTimes();
    }, TICK_MS);
    this._draw();
  }

  /** Give the keyboard to the first button, or to the list when there is none. */
  focus(): void {
    (this.node.querySelector<HTMLElement>('button:not([hidden])') ?? this.node).focus();
  }

  override dispose(): void {
    window.clearInterval(this._tick);
    this._model.changed.disconnect(this._draw, this);
    super.dispose();
  }

  /** Rows are kept while what they show lives, and the keyboard stays on its button. */
  private _draw(): void {
    const focused = this._focused;
    const rows = [
      ...this._model.cells.map(cell => this._cellRow(cell)),
      ...this._model.shells.map(shell => this._shellRow(shell))
    ];
    this.node.replaceChildren(...(rows.length ? rows : [nothing()]), this._refusal);
    this._tellTimes();
    if (focused?.isConnected && !focused.hidden) {
      focused.focus();
    } else if (focused) {
      this.focus();
    }
  }

  private get _focused(): HTMLElement | null {
    const { activeElement } = document;
    return activeElement instanceof HTMLElement && this.node.contains(activeElement)
      ? activeElement
      : null;
  }

  private _cellRow(cell: KnownCell): HTMLElement {
    const row = this._row(`cell ${cell.serial}`);
    row.name.textContent = cell.cell_id === null ? 'Cell' : `Cell ${cell.cell_id}`;
    row.from.textContent = cell.label;
    row.from.hidden = !cell.label;
    row.from.title = 'Show the notebook cell';
    row.from.onclick = () => {
      this._model.reveal(cell);
    };
    row.end.hidden = !isRunning(cell);
    row.end.textContent = 'Terminate';
    row.end.setAttribute('aria-label', `Terminate cell ${cell.cell_id ?? ''}`);
    row.end.onclick = () => void this._try(this._model.terminate(cell));
    row.element.dataset.stage = cell.status === 'failed' ? 'failed' : cell.stage;
    row.tell = now => stateOf(cell, now);
    return row.element;
  }

  private _shellRow(shell: ShellFacts): HTMLElement {
    const row = this._row(`shell ${shell.session_id}`);
    row.name.textContent = `Shell ${shell.session_id}`;
    row.from.hidden = true;
    row.end.textContent = 'End';
    row.end.setAttribute('aria-label', `End shell ${shell.session_id}`);
    row.end.onclick = () => void this._try(this._model.stopShell(shell));
    row.element.dataset.stage = shell.is_over ? 'ended' : 'running';
    row.element.title = shell.command;
    row.tell = () => (shell.is_over ? 'ended, output waiting' : shell.command);
    return row.element;
  }

  private _row(key: string): Row {
    let row = this._rows.get(key);
    if (!row) {
      row = new Row();
      this._rows.set(key, row);
    }
    return row;
  }

  private async _try(order: Promise<void>): Promise<void> {
    try {
      await order;
      this._refusal.textContent = '';
    } catch (error) {
      this._refusal.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private _tellTimes(): void {
    const now = Date.now();
    for (const [key, row] of this._rows) {
      if (row.element.parentNode === this.node) {
        row.state.textContent = row.tell(now);
      } else {
        this._rows.delete(key);
      }
    }
  }

  private readonly _rows = new Map<string, Row>();
  private readonly _refusal = document.createElement('div');
  private readonly _tick: number;
}

/** One line: what it is, where it was written, its state, and the button that ends it. */
class Row {
  constructor() {
    this.element.className = 'codemode-running-row';
    this.name.className = 'codemode-running-name';
    this.from.className = 'codemode-running-from';
    this.state.className = 'codemode-running-state';
    this.end.className = 'codemode-running-end';
    this.from.type = this.end.type = 'button';
    this.element.append(this.name, this.from, this.state, this.end);
  }

  readonly element = document.createElement('div');
  readonly name = document.createElement('span');
  readonly from = document.createElement('button');
  readonly state = document.createElement('span');
  readonly end = document.createElement('button');
  /** The state at a time, milliseconds of the page's clock. */
  tell: (now: number) => string = () => '';
}

function nothing(): HTMLElement {
  const line = document.createElement('div');
  line.className = 'codemode-running-nothing';
  line.textContent = 'No cell runs or waits to be collected.';
  return line;
}
