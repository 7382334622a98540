import type { CallOutcome, Status } from '../schemas/record.v1.schema';
import { drawing } from './element';

const TICK = 'M3 8.5l3.3 3.3L13 5';
const CROSS = 'M4 4l8 8M12 4l-8 8';
const SQUARE = 'M4.5 4.5h7v7h-7z';
const DOTS = 'M3.5 8h.01M8 8h.01M12.5 8h.01';

const PATHS: Readonly<Record<Status | CallOutcome | 'pending', string>> = {
  completed: TICK,
  ok: TICK,
  failed: CROSS,
  error: CROSS,
  terminated: SQUARE,
  cancelled: SQUARE,
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
