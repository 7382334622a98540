import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';

import type { Record as CellRecord } from '../schemas/record.v1.schema';
import { body, type Surroundings } from './body';
import { element } from './element';
import { caret, statusIcon } from './icon';
import { mediaAmong } from './media';
import { outputsAround } from './outputs';
import { readRecord, UnreadableRecord } from './read';
import { summaryOf } from './summary';
import { viewOf } from './view';

/** Keys that open a record or walk through it; elsewhere in a notebook they are shortcuts. */
const OWN_KEYS = new Set(['Enter', ' ', 'Home', 'End']);
const ARROWS = 'Arrow';

/** A record under its cell: one line, which opens to everything the cell did. */
export class RecordWidget extends Widget implements IRenderMime.IRenderer {
  constructor(mimeType: string) {
    super();
    this.addClass('codemode-record');
    this._mimeType = mimeType;
    this.node.addEventListener('keydown', keepFromNotebook);
  }

  /** Draws the record; one that was opened before, with its calls, is open again. */
  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.node.replaceChildren(this._content(model.data[this._mimeType]));
    return Promise.resolve();
  }

  private _content(data: unknown): HTMLElement {
    try {
      return this._details(readRecord(data));
    } catch (error) {
      if (error instanceof UnreadableRecord) {
        return element('div', 'codemode-unreadable', error.message);
      }
      throw error;
    }
  }

  private _details(record: CellRecord): HTMLElement {
    const details = element('details', 'codemode-details', summaryLine(record));
    // Most records stay closed, and a notebook can have hundreds.
    const fill = (): void => {
      if (details.open && details.childElementCount === 1) {
        details.append(body(viewOf(record), this._around));
      }
    };
    details.open = this._isOpen;
    fill();
    details.addEventListener('toggle', () => {
      this._isOpen = details.open;
      fill();
      this._place();
    });
    return details;
  }

  /** A closed record is a line below the outputs wherever it was before. */
  private _place(): void {
    this.toggleClass('codemode-is-beside', this._isOpen && this._isBeside);
  }

  private readonly _mimeType: string;
  private readonly _around: Surroundings = {
    openCalls: new Set<string>(),
    findMedia: mediaAmong(() => outputsAround(this)),
    isBeside: () => this._isBeside,
    setBeside: isBeside => {
      this._isBeside = isBeside;
      this._place();
    }
  };
  private _isOpen = false;
  private _isBeside = false;
}

function summaryLine(record: CellRecord): HTMLElement {
  const summary = summaryOf(record);
  const line = element(
    'summary',
    'codemode-summary',
    caret(),
    statusIcon(summary.status),
    element('span', 'codemode-facts', summary.facts.join(' · '))
  );
  if (summary.truncated !== undefined) {
    const mark = element('span', 'codemode-mark', 'truncated');
    mark.title = summary.truncated;
    line.append(' ', mark);
  }
  return line;
}

function keepFromNotebook(event: KeyboardEvent): void {
  const own = OWN_KEYS.has(event.key) || event.key.startsWith(ARROWS);
  if (own && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.stopPropagation();
  }
}
