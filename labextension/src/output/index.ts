import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';

import type { Attachment } from '../control/attachment';
import { IAttachments } from '../control/attachments';
import { CommandRefused } from '../control/connection';
import { FILE_ATTRIBUTE } from './link';
import { wholeText } from './whole';

const SAVING = `[${FILE_ATTRIBUTE}]`;

/**
 * Saves whole outputs, which are in files that no browser may open. The click is listened to on the
 * page, as the links come in outputs of cells.
 */
export const outputPlugin: JupyterFrontEndPlugin<void> = {
  id: 'codemode-labextension:output',
  description: 'Saves the whole output of a Code Mode cell.',
  autoStart: true,
  requires: [IAttachments, INotebookTracker],
  activate: (_: JupyterFrontEnd, attachments: IAttachments, tracker: INotebookTracker): void => {
    document.body.addEventListener('click', event => {
      const link = event.target instanceof Element ? event.target.closest(SAVING) : null;
      const panel = link && tracker.find(({ node }) => node.contains(link));
      const file = link?.getAttribute(FILE_ATTRIBUTE);
      if (panel && file) {
        event.preventDefault();
        void save(attachments.of(panel), file);
      }
    });
  }
};

async function save(attachment: Attachment | undefined, file: string): Promise<void> {
  try {
    if (attachment === undefined) {
      throw new CommandRefused('The kernel is not connected.');
    }
    const text = await wholeText(command => attachment.order(command), file);
    offer(text, file.replace(/.*\//, ''));
  } catch (error) {
    if (!(error instanceof CommandRefused)) {
      throw error;
    }
    Notification.error(error.message, { autoClose: 5000 });
  }
}

/** Have the browser save a file, as it saves every download. */
function offer(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
