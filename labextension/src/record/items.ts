import type { Media, Record as CellRecord } from '../schemas/record.v1.schema';
import { size } from './quantities';

/** One item of the model view: the text itself, or what is known of an image or a sound. */
export interface ItemView {
  readonly kind: 'text' | 'image' | 'audio';
  readonly text: string;
}

type ModelItem = Exclude<CellRecord['model_view'], string | undefined>[number];

/** The items of a model view in their order; a bare string is one text. */
export function itemViews(view: CellRecord['model_view']): ItemView[] {
  if (typeof view === 'string') {
    return [{ kind: 'text', text: view }];
  }
  return (view ?? []).map(itemView);
}

function itemView(item: ModelItem): ItemView {
  switch (item.type) {
    case 'input_text':
      return { kind: 'text', text: item.text };
    case 'input_image':
      return { kind: 'image', text: mediaText('Image', item.image, item.detail) };
    case 'input_audio':
      return { kind: 'audio', text: mediaText('Sound', item.audio) };
  }
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
