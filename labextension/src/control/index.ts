import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';

import { Attachments, IAttachments } from './attachments';

/** Connects open notebooks to their kernels. */
export const controlPlugin: JupyterFrontEndPlugin<IAttachments> = {
  id: 'codemode-labextension:control',
  description: 'Connects open notebooks to their Code Mode kernels.',
  autoStart: true,
  provides: IAttachments,
  requires: [INotebookTracker],
  activate: (app: JupyterFrontEnd, tracker: INotebookTracker): IAttachments => {
    const attachments = new Attachments();
    // Not before everybody who listens is there.
    void app.started.then(() => {
      attachments.follow(tracker);
    });
    return attachments;
  }
};
