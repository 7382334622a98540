import type { ISessionContext } from '@jupyterlab/apputils';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import type { Replay } from '../schemas/control.v1.schema';
import { CommandRefused, Connection } from './connection';
import type { Answer, Command, FromKernel } from './messages';
import { seenCells } from './seen';
import { KernelState } from './state';

/** What `kernel_info` calls our kernel. */
const IMPLEMENTATION = 'codemode';

/** States in which a kernel answers. */
const ANSWERING: readonly Kernel.Status[] = ['idle', 'busy'];

/** States of a kernel whose comms have ended. */
const GONE: readonly Kernel.Status[] = ['restarting', 'autorestarting', 'terminating', 'dead'];

/** A notebook document and its kernel: keeps one connection up, through restarts and reconnects. */
export class Attachment implements IDisposable {
  /** `panel` is any view of the document. */
  constructor(panel: NotebookPanel) {
    this._context = panel.context;
    this._sessionContext.kernelChanged.connect(this._settle, this);
    this._sessionContext.statusChanged.connect(this._settle, this);
    this._sessionContext.connectionStatusChanged.connect(this._onConnectionStatus, this);
    this._context.pathChanged.connect(this._attachAgain, this);
    this._context.disposed.connect(this.dispose, this);
    this._settle();
  }

  /** The document. */
  get context(): NotebookPanel['context'] {
    return this._context;
  }

  /** Cells and shells of the kernel. */
  readonly state = new KernelState();

  /** The kernel is one of ours, and answers. */
  get isAttached(): boolean {
    return this._isAttached;
  }

  /** Why it is not attached, for the person; empty where there is nothing to say. */
  get problem(): string {
    return this._problem;
  }

  /** `isAttached` or `problem` has changed. */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Outputs that the page lacks have come. */
  get replayed(): ISignal<this, Replay> {
    return this._replayed;
  }

  /** The connection has ended; a kernel that was restarted has forgotten all runs. */
  get lost(): ISignal<this, void> {
    return this._lost;
  }

  /** The page was cut off from the kernel for a while: what came meanwhile may have been missed. */
  get rejoined(): ISignal<this, void> {
    return this._rejoined;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Give a command; rejects with `CommandRefused`. */
  order(command: Command): Promise<Answer> {
    return (
      this._connection?.order(command) ??
      Promise.reject(new CommandRefused('The kernel is not connected.'))
    );
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._connection?.dispose();
    Signal.clearData(this);
  }

  private get _sessionContext(): ISessionContext {
    return this._context.sessionContext;
  }

  /**
   * Bring the connection in line with the kernel. Several signals tell of the same change, so this
   * looks at what is, never at what was told.
   */
  private _settle(): void {
    const kernel = this._sessionContext.session?.kernel ?? null;
    const status = kernel?.status ?? 'unknown';
    if (this._connection && (kernel !== this._kernel || GONE.includes(status))) {
      this._connection.dispose();
    }
    if (kernel !== this._kernel || GONE.includes(status)) {
      this._kernel = kernel;
      this._mayOpen = true;
    }
    if (kernel && this._mayOpen && ANSWERING.includes(status)) {
      this._mayOpen = false;
      void this._open(kernel);
    }
  }

  private async _open(kernel: Kernel.IKernelConnection): Promise<void> {
    const info = await kernel.info;
    await this._context.ready;
    const isStillThere = !this._isDisposed && kernel === this._kernel && !this._connection;
    if (info.implementation !== IMPLEMENTATION || !isStillThere) {
      return;
    }
    const connection = (this._connection = new Connection(kernel));
    connection.received.connect(this._receive, this);
    connection.disposed.connect(this._onClosed, this);
    connection.open(seenCells(this._context.model.cells), this._context.localPath);
  }

  private _receive(_: Connection, message: FromKernel): void {
    switch (message.type) {
      case 'snapshot':
        this.state.replace(message);
        this._set(true, '');
        break;
      case 'events':
        if (!this.state.apply(message)) {
          this._attachAgain();
        }
        break;
      case 'questions':
        this.state.ask(message.questions);
        break;
      case 'replay':
        this._replayed.emit(message);
        break;
      case 'refused':
        this._set(false, message.reason);
        break;
      case 'error':
        console.error(`Code Mode: ${message.reason}`);
        break;
      case 'done':
      case 'capture_piece':
        break;
    }
  }

  /** A connection that worked is made anew; one that was never let in is not. */
  private _onClosed(connection: Connection): void {
    if (connection !== this._connection) {
      return;
    }
    this._connection = null;
    this._mayOpen ||= this._isAttached;
    this._set(false, '');
    this.state.clear();
    this._lost.emit();
    this._settle();
  }

  private _onConnectionStatus(): void {
    const status = this._sessionContext.session?.kernel?.connectionStatus;
    if (status === 'connected' && this._wasCutOff) {
      this._rejoined.emit();
      this._attachAgain();
    }
    this._wasCutOff = status === 'connecting';
    this._settle();
  }

  private _attachAgain(): void {
    this._connection?.attachAgain(seenCells(this._context.model.cells), this._context.localPath);
  }

  private _set(isAttached: boolean, problem: string): void {
    if (isAttached !== this._isAttached || problem !== this._problem) {
      this._isAttached = isAttached;
      this._problem = problem;
      this._changed.emit();
    }
  }

  private readonly _context: NotebookPanel['context'];
  private readonly _changed = new Signal<this, void>(this);
  private readonly _replayed = new Signal<this, Replay>(this);
  private readonly _lost = new Signal<this, void>(this);
  private readonly _rejoined = new Signal<this, void>(this);
  private _connection: Connection | null = null;
  private _kernel: Kernel.IKernelConnection | null = null;
  private _mayOpen = false;
  private _wasCutOff = false;
  private _isAttached = false;
  private _problem = '';
  private _isDisposed = false;
}
