import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';

import { IAttachments } from '../control/attachments';
import { QuestionsModel } from './model';
import { QuestionPanel } from './panel';

const COMMAND = 'codemode:answer';

/** Offers what kernels ask, in a corner of the page. */
export const questionsPlugin: JupyterFrontEndPlugin<void> = {
  id: 'codemode-labextension:questions',
  description: 'Offers the questions of Code Mode kernels in a corner of the page.',
  autoStart: true,
  requires: [IAttachments, INotebookTracker],
  optional: [ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    attachments: IAttachments,
    tracker: INotebookTracker,
    palette: ICommandPalette | null
  ): void => {
    const model = new QuestionsModel(tracker, attachments);
    const panel = new QuestionPanel(model);
    Widget.attach(panel, document.body);
    app.commands.addCommand(COMMAND, {
      label: 'Answer the Open Question (Alt+Q)',
      isEnabled: () => model.questions.length > 0,
      execute: () => {
        panel.focus();
      }
    });
    palette?.addItem({ command: COMMAND, category: 'Code Mode' });
  }
};
