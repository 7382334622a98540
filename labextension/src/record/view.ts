import type { Record as CellRecord } from '../schemas/record.v1.schema';
import { callView, type CallView } from './calls';
import { wholeOutput } from './commands';
import { captureWords, factsOf, type Fact } from './facts';
import { itemViews, notificationViews, type ItemView } from './items';

/** The end of a capture's path: a folder that no other session has, and a name. */
const FILE = /[\w-]+\/[\w-]+\.txt$/;

/** What a record shows when it is opened. */
export interface RecordView {
  readonly facts: readonly Fact[];
  readonly calls: readonly CallView[];
  readonly items: readonly ItemView[];
  readonly notifications: readonly ItemView[];
  readonly capture?: CaptureView;
}

/** The whole of an output of which a model got a part. */
export interface CaptureView {
  /** Its size, its state, its place, in words. */
  readonly words: string;
  /** The magic that shows it while the session lasts; none where nothing is kept. */
  readonly command?: string;
  /** Folder and name of the file whose text can be saved; likewise. */
  readonly file?: string;
}

export function viewOf(record: CellRecord): RecordView {
  return {
    facts: factsOf(record),
    calls: (record.calls ?? []).map(call => callView(call, record.cell_id)),
    items: itemViews(record),
    notifications: notificationViews(record),
    ...captureOf(record)
  };
}

function captureOf({ capture, cell_id: cell }: CellRecord): { capture?: CaptureView } {
  if (capture === undefined) {
    return {};
  }
  const words = captureWords(capture);
  const command = wholeOutput(cell);
  if (capture.state === 'unavailable' || command === undefined) {
    return { capture: { words } };
  }
  const file = FILE.exec(capture.path ?? '')?.[0];
  return { capture: { words, command, ...(file === undefined ? {} : { file }) } };
}
