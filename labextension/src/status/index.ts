import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { INotebookTracker } from '@jupyterlab/notebook';
import { IStatusBar } from '@jupyterlab/statusbar';

import { IAttachments } from '../control/attachments';
import { StatusItem } from './item';
import { StatusModel } from './model';

/** The status bar's item; hidden for other kernels. */
export const statusPlugin: JupyterFrontEndPlugin<void> = {
  id: 'codemode-labextension:status',
  description: 'Shows in the status bar how many Code Mode cells run.',
  autoStart: true,
  requires: [IAttachments, INotebookTracker],
  optional: [IStatusBar],
  activate: (
    _: JupyterFrontEnd,
    attachments: IAttachments,
    tracker: INotebookTracker,
    statusBar: IStatusBar | null
  ): void => {
    const model = new StatusModel(tracker, attachments);
    statusBar?.registerStatusItem('codemode-labextension:status', {
      item: new StatusItem(model),
      align: 'left',
      rank: 3,
      isActive: () => model.isVisible,
      activeStateChanged: model.changed
    });
  }
};
