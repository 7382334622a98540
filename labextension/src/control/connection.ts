import type { Kernel } from '@jupyterlab/services';
import { PromiseDelegate, UUID } from '@lumino/coreutils';
import type { JSONObject, JSONValue } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import type { SeenCell } from '../schemas/control.v1.schema';
import { TARGET, VERSION } from './messages';
import type { Answer, Command, FromFront, FromKernel } from './messages';

/** How often the kernel is told that this page is still there, in milliseconds. */
const ALIVE_MS = 60_000;

/** A command was refused; the message is for the person. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** One comm with one kernel: typed messages in both directions. */
export class Connection implements IDisposable {
  constructor(kernel: Kernel.IKernelConnection) {
    this._comm = kernel.createComm(TARGET);
    this._comm.onMsg = message => {
      this._receive(message.content.data as unknown as FromKernel);
    };
    this._comm.onClose = () => {
      this.dispose();
    };
    this._alive = window.setInterval(() => {
      this._send({ type: 'alive' });
    }, ALIVE_MS);
    window.addEventListener('pagehide', this._leave);
  }

  /** Every message but the answers to commands. */
  get received(): ISignal<this, FromKernel> {
    return this._received;
  }

  /** The comm is closed, by either side. */
  get disposed(): ISignal<this, void> {
    return this._disposed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /** Open the comm and say what the page shows. */
  open(cells: SeenCell[], notebook: string): void {
    this._comm.open(attach(cells, notebook) as unknown as JSONObject);
  }

  /** Attach anew on the open comm: something may have been missed. */
  attachAgain(cells: SeenCell[], notebook: string): void {
    this._send(attach(cells, notebook));
  }

  /** Give a command; rejects with `CommandRefused`, also when the connection ends before the answer. */
  order(command: Command): Promise<Answer> {
    if (this._isDisposed) {
      return Promise.reject(new CommandRefused('The kernel is not connected.'));
    }
    const id = UUID.uuid4();
    const answer = new PromiseDelegate<Answer>();
    this._answers.set(id, answer);
    this._send({ ...command, id });
    return answer.promise;
  }

  dispose(): void {
    if (this._isDisposed) {
      return;
    }
    this._isDisposed = true;
    window.clearInterval(this._alive);
    window.removeEventListener('pagehide', this._leave);
    for (const answer of this._answers.values()) {
      answer.reject(new CommandRefused('The connection to the kernel has ended.'));
    }
    this._answers.clear();
    this._comm.dispose();
    this._disposed.emit();
    Signal.clearData(this);
  }

  private _receive(message: FromKernel): void {
    if (message.type === 'done' || message.type === 'capture_piece') {
      this._take(message.id)?.resolve(message);
    } else if (message.type === 'refused' && message.id) {
      this._take(message.id)?.reject(new CommandRefused(message.reason));
    } else {
      this._received.emit(message);
    }
  }

  private _take(id: string): PromiseDelegate<Answer> | undefined {
    const answer = this._answers.get(id);
    this._answers.delete(id);
    return answer;
  }

  private _send(message: FromFront): void {
    this._comm.send(message as unknown as JSONValue);
  }

  /** A kernel learns of a closed page from nobody else, and would talk to it for minutes. */
  private readonly _leave = () => {
    this._send({ type: 'detach' });
  };

  private readonly _comm: Kernel.IComm;
  private readonly _alive: number;
  private readonly _answers = new Map<string, PromiseDelegate<Answer>>();
  private readonly _received = new Signal<this, FromKernel>(this);
  private readonly _disposed = new Signal<this, void>(this);
  private _isDisposed = false;
}

function attach(cells: SeenCell[], notebook: string): FromFront {
  return { type: 'attach', version: VERSION, cells, notebook };
}
