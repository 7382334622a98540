import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import type {
  CellFacts,
  Events,
  QuestionFacts,
  ShellFacts,
  Snapshot
} from '../schemas/control.v1.schema';

/** A cell, and when its facts were true (milliseconds of the page's clock). */
export interface KnownCell extends CellFacts {
  readonly toldAt: number;
}

/** What the kernel has told of its cells, shells and questions. */
export class KernelState {
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Cells that start, run or wait to be collected, oldest first. */
  get cells(): readonly KnownCell[] {
    return [...this._cells.values()].sort((one, other) => one.serial - other.serial);
  }

  get shells(): readonly ShellFacts[] {
    return this._shells;
  }

  /** What the person is being asked, oldest first. */
  get questions(): readonly QuestionFacts[] {
    return this._questions;
  }

  /** Take the open questions in, in place of those that were. */
  ask(questions: readonly QuestionFacts[]): void {
    this._questions = questions;
    this._changed.emit();
  }

  /** Take a snapshot in, in place of all that was known; open questions follow it. */
  replace(snapshot: Snapshot): void {
    this._sequence = snapshot.sequence;
    this._cells.clear();
    snapshot.cells.forEach(cell => {
      this._keep(cell);
    });
    this._shells = snapshot.shells;
    this._questions = [];
    this._changed.emit();
  }

  /** Take changes in; false when some were lost on the way. */
  apply(events: Events): boolean {
    const isNext = events.sequence === this._sequence + 1;
    this._sequence = events.sequence;
    events.cells?.forEach(({ cell }) => {
      this._keep(cell);
    });
    this._shells = events.shells ?? this._shells;
    this._changed.emit();
    return isNext;
  }

  /** The kernel is gone, and all of it. */
  clear(): void {
    this._cells.clear();
    this._shells = [];
    this._questions = [];
    this._changed.emit();
  }

  private _keep(cell: CellFacts): void {
    if (cell.stage === 'collected' || cell.stage === 'forgotten') {
      this._cells.delete(cell.serial);
    } else {
      this._cells.set(cell.serial, { ...cell, toldAt: Date.now() });
    }
  }

  private readonly _cells = new Map<number, KnownCell>();
  private readonly _changed = new Signal<this, void>(this);
  private _shells: readonly ShellFacts[] = [];
  private _questions: readonly QuestionFacts[] = [];
  private _sequence = 0;
}
