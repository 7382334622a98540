import type { Capture, LeftOut, Record as CellRecord } from '../schemas/record.v1.schema';
import { count, duration, figure, moment, size } from './quantities';

/** A name and a value of the list of facts. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What is known of the run as a whole; nothing is said where the record does not say it. */
export function factsOf(record: CellRecord): Fact[] {
  return [
    { name: 'Cell', value: record.cell_id },
    { name: 'Started', value: moment(record.started) },
    { name: 'Wall time', value: duration(record.wall_time_s) },
    { name: 'Tokens', value: tokens(record) },
    { name: 'Host', value: record.host ?? '' },
    { name: 'Engine', value: record.engine ?? '' },
    { name: 'Profile', value: record.profile ?? '' },
    { name: 'Not recorded', value: omission(record.left_out) }
  ].filter(fact => fact.value !== '');
}

function tokens({ tokens: got, emitted_tokens: given }: CellRecord): string {
  if (got === undefined) {
    return '';
  }
  return given === undefined ? figure(got) : `${figure(got)} of ${figure(given)}`;
}

const CAPTURE_WORDS: Readonly<Record<Capture['state'], string>> = {
  capturing: 'so far',
  complete: 'complete',
  partial: 'its beginning, the rest is lost',
  unavailable: 'lost'
};

/** Size, state and place of the whole output, in words; nothing where there was no need to keep it. */
export function captureWords(capture: Capture | undefined): string {
  if (capture === undefined) {
    return '';
  }
  const { bytes: all = 0, captured_bytes: kept = all } = capture;
  const amount = kept < all ? `${size(kept)} of ${size(all)}` : size(all);
  const facts = [amount, CAPTURE_WORDS[capture.state], capture.path ?? ''];
  return facts.filter(fact => fact !== '').join(' · ');
}

function omission(left: LeftOut = {}): string {
  const amounts: [number | undefined, string, string][] = [
    [left.model_view_items, 'item', 'of the model view'],
    [left.model_view_characters, 'character', 'of the model view'],
    [left.notifications, 'notification', ''],
    [left.notification_characters, 'character', 'of notifications'],
    [left.calls, 'call', '']
  ];
  return amounts
    .filter(([amount = 0]) => amount > 0)
    .map(([amount = 0, noun, of]) => `${count(amount, noun)} ${of}`.trim())
    .join(', ');
}
