import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Token } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import { Attachment } from './attachment';

/** Every open notebook document that may have a kernel of ours. */
export interface IAttachments {
  /** A document was opened. */
  readonly added: ISignal<IAttachments, Attachment>;
  /** That of a view; undefined before it was `added`. */
  of(panel: NotebookPanel): Attachment | undefined;
}

export const IAttachments = new Token<IAttachments>(
  'codemode-labextension:IAttachments',
  'The connections of open notebooks to their Code Mode kernels.'
);

/** One attachment for each document, however many views it has. */
export class Attachments implements IAttachments {
  get added(): ISignal<this, Attachment> {
    return this._added;
  }

  of(panel: NotebookPanel): Attachment | undefined {
    return this._byContext.get(panel.context);
  }

  /** Attach what is open and what will be. */
  follow(tracker: INotebookTracker): void {
    tracker.forEach(panel => {
      this._add(panel);
    });
    tracker.widgetAdded.connect((_, panel) => {
      this._add(panel);
    });
  }

  private _add(panel: NotebookPanel): void {
    if (!this._byContext.has(panel.context)) {
      const attachment = new Attachment(panel);
      this._byContext.set(panel.context, attachment);
      this._added.emit(attachment);
    }
  }

  private readonly _byContext = new WeakMap<NotebookPanel['context'], Attachment>();
  private readonly _added = new Signal<this, Attachment>(this);
}
