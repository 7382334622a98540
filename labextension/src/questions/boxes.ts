import { CodeCell } from '@jupyterlab/cells';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';

import type { Attachment } from '../control/attachment';

const BOX = 'jp-OutputArea-stdin-item';

/** JupyterLab removes a box itself that was answered. */
const ANSWERED = 'jp-OutputArea-stdin-hiding';

/** The input boxes that are open under a notebook cell, in all views of its document. */
export function openBoxes(
  tracker: INotebookTracker,
  attachment: Attachment,
  notebookCell: string | null
): Widget[] {
  const boxes: Widget[] = [];
  tracker.forEach(panel => {
    if (panel.context !== attachment.context) {
      return;
    }
    for (const cell of panel.content.widgets) {
      if (cell instanceof CodeCell && cell.model.id === notebookCell) {
        boxes.push(...[...cell.outputArea.children()].filter(isOpen));
      }
    }
  });
  return boxes;
}

/** Remove boxes that nobody waits for any more, and let cells run again. */
export function removeBoxes(attachment: Attachment, boxes: readonly Widget[]): void {
  const left = boxes.filter(isOpen);
  left.forEach(box => {
    box.dispose();
  });
  const kernel = attachment.context.sessionContext.session?.kernel;
  if (left.length && kernel) {
    // JupyterLab runs no cell while it believes that the kernel waits for input.
    kernel.hasPendingInput = false;
  }
}

function isOpen(widget: Widget): boolean {
  return !widget.isDisposed && widget.hasClass(BOX) && !widget.hasClass(ANSWERED);
}
