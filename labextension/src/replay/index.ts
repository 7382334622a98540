import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { NotebookActions } from '@jupyterlab/notebook';

import { IAttachments } from '../control/attachments';
import { ReplayedDocument } from './document';

/** Makes the outputs of a reloaded notebook complete, and lets them go on. */
export const replayPlugin: JupyterFrontEndPlugin<void> = {
  id: 'codemode-labextension:replay',
  description: 'Shows what cells have printed while no page was there.',
  autoStart: true,
  requires: [IAttachments],
  activate: (_: JupyterFrontEnd, attachments: IAttachments): void => {
    const documents = new Set<ReplayedDocument>();
    attachments.added.connect((_, attachment) => {
      const document = new ReplayedDocument(attachment);
      documents.add(document);
      attachment.context.disposed.connect(() => documents.delete(document));
    });
    NotebookActions.executionScheduled.connect((_, { notebook, cell }) => {
      for (const document of documents) {
        if (document.model === notebook.model) {
          document.leave(cell.model.id);
        }
      }
    });
  }
};
