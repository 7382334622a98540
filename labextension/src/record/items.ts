import type { Media, Notification, Record as CellRecord } from '../schemas/record.v1.schema';
import { stretches, type CutBy, type Stretch } from './cuts';
import { count, size } from './quantities';
import { tokensOf } from './tokens';

/** One item of the model view: the text itself, or what is known of an image or a sound. */
export interface ItemView {
  readonly kind: 'text' | 'image' | 'audio';
  /** Which item it is and what it costs, in words. */
  readonly title: string;
  /** The text, with what was cut out of it; for media the words that name them. */
  readonly stretches: readonly Stretch[];
  /** Of an image or a sound: by it the bytes are found among the outputs of the cell. */
  readonly sha256?: string;
}

type ModelItem = Exclude<CellRecord['model_view'], string | undefined>[number];

/** How the first text of an exec or a wait begins, which no budget counts. */
const HEADER = /^(Script (completed|failed|terminated|running with cell ID \S+)\n)?Wall time /;

/** The items of a model view in their order; a bare string is one text. */
export function itemViews(record: CellRecord): ItemView[] {
  const { model_view: view = [], truncated = false, left_out: left = {} } = record;
  const by: CutBy = { budget: truncated, record: (left.model_view_characters ?? 0) > 0 };
  if (typeof view === 'string') {
    return [textView('1', view, by)];
  }
  return view.map((item, index) => itemView(item, index, by));
}

/** Notifications, which a model gets as outputs of their own. */
export function notificationViews(record: CellRecord): ItemView[] {
  const left = record.left_out?.notification_characters ?? 0;
  return (record.notifications ?? []).map(({ text, cell_id: from }: Notification) =>
    textView(`from cell ${from ?? record.cell_id}`, text, { budget: false, record: left > 0 })
  );
}

function itemView(item: ModelItem, index: number, by: CutBy): ItemView {
  const number = String(index + 1);
  switch (item.type) {
    case 'input_text': {
      const isHeader = index === 0 && HEADER.test(item.text);
      return textView(isHeader ? `${number} · header` : number, item.text, by);
    }
    case 'input_image':
      return mediaView('image', number, mediaText('Image', item.image, item.detail), item.image);
    case 'input_audio':
      return mediaView('audio', number, mediaText('Sound', item.audio), item.audio);
  }
}

function textView(name: string, text: string, by: CutBy): ItemView {
  const title = `${name} · ${count(tokensOf(text), 'token')}`;
  return { kind: 'text', title, stretches: stretches(text, by) };
}

function mediaView(kind: 'image' | 'audio', title: string, text: string, media: Media): ItemView {
  const view: ItemView = { kind, title, stretches: [{ text, isCut: false }] };
  return media.sha256 === undefined ? view : { ...view, sha256: media.sha256 };
}

function mediaText(noun: string, media: Media, detail?: string): string {
  return [
    noun,
    media.mime_type ?? '',
    size(media.bytes ?? 0),
    detail === undefined ? '' : `detail ${detail}`,
    media.sha256 === undefined ? '' : `SHA-256 ${media.sha256.slice(0, 12)}…`
  ]
    .filter(fact => fact !== '')
    .join(' · ');
}
