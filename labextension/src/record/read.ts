import type {
  CallApproval,
  CallRecord,
  Capture,
  LeftOut,
  Media,
  ModelAudio,
  ModelImage,
  ModelText,
  Notification,
  Record as CellRecord
} from '../schemas/record.v1.schema';
import {
  amount,
  anything,
  either,
  flag,
  isObject,
  listOf,
  object,
  oneOf,
  optional,
  text
} from './shape';

const VERSION = 1;

/** What a notebook holds is not a record that can be shown; the message is for the person. */
export class UnreadableRecord extends Error {}

/**
 * The record that a notebook holds, checked, since anybody can have written the notebook.
 * Throws `UnreadableRecord`.
 */
export function readRecord(data: unknown): CellRecord {
  if (isObject(data) && typeof data.version === 'number' && data.version !== VERSION) {
    throw new UnreadableRecord(
      `The record of this cell has version ${String(data.version)}; ` +
        `version ${String(VERSION)} is understood here.`
    );
  }
  if (!isRecord(data)) {
    throw new UnreadableRecord('The record of this cell is damaged and cannot be shown.');
  }
  return data;
}

function isRecord(data: unknown): data is CellRecord {
  return record(data);
}

const media = object<Media>({
  sha256: optional(text),
  mime_type: optional(text),
  bytes: optional(amount)
});

const modelItem = either(
  object<ModelText>({ type: oneOf('input_text'), text }),
  object<ModelImage>({ type: oneOf('input_image'), image: media, detail: optional(text) }),
  object<ModelAudio>({ type: oneOf('input_audio'), audio: media })
);

const approval = object<CallApproval>({
  decision: oneOf('once', 'refused', 'rule', 'same', 'session'),
  asked_s: optional(amount)
});

const call = object<CallRecord>({
  id: text,
  tool: text,
  source: optional(text),
  arguments: anything,
  result: anything,
  error: optional(text),
  outcome: optional(oneOf('cancelled', 'error', 'ok', 'unknown')),
  started: text,
  duration_s: optional(amount),
  approval: optional(approval),
  late: optional(flag),
  secret_fields: optional(listOf(text)),
  cut: optional(flag)
});

const leftOut = object<LeftOut>({
  model_view_items: optional(amount),
  model_view_characters: optional(amount),
  notifications: optional(amount),
  notification_characters: optional(amount),
  calls: optional(amount),
  calls_failed: optional(amount),
  calls_refused: optional(amount),
  calls_cancelled: optional(amount),
  calls_unknown: optional(amount)
});

const capture = object<Capture>({
  state: oneOf('capturing', 'complete', 'partial', 'unavailable'),
  bytes: optional(amount),
  captured_bytes: optional(amount),
  path: optional(text)
});

const record = object<CellRecord>({
  version: oneOf(VERSION),
  cell_id: text,
  kind: oneOf('exec', 'wait'),
  status: oneOf('completed', 'failed', 'running', 'terminated'),
  started: text,
  wall_time_s: amount,
  tokens: optional(amount),
  truncated: optional(flag),
  emitted_tokens: optional(amount),
  model_view: optional(either(text, listOf(modelItem))),
  notifications: optional(listOf(object<Notification>({ text, cell_id: optional(text) }))),
  calls: optional(listOf(call)),
  left_out: optional(leftOut),
  capture: optional(capture),
  engine: optional(text),
  host: optional(text),
  profile: optional(text)
});
