import type { CallOutcome, Status } from '../schemas/record.v1.schema';
import { drawing } from './element';

const TICK = 'M3 8.5l3.3 3.3L13 5';
const CROSS = 'M4 4l8 8M12 4l-8 8';
const SQUARE = 'M4.5 4.5h7v7h-7z';
const QUESTION = 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.6M8 12.5h.01';
const DOTS = 'M3.5 8h.01M8 8h.01M12.5 8h.01';

const PATHS: Readonly<Record<Status | CallOutcome | 'pending', string>> = {
  completed: TICK,
  ok: TICK,
  failed: CROSS,
  error: CROSS,
  terminated: SQUARE,
  cancelled: SQUARE,
  unknown: QUESTION,
  running: DOTS,
  pending: DOTS
};

/** The sign of a status or an outcome; the words beside it say the same. */
export function statusIcon(status: keyof typeof PATHS): SVGSVGElement {
  const icon = drawing('codemode-icon', PATHS[status]);
  icon.dataset.status = status;
  return icon;
}

/** Points right, and down when what it stands before is open (the style sheet turns it). */
export function caret(): SVGSVGElement {
  return drawing('codemode-caret', 'M6 4l4 4-4 4');
}
