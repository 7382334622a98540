import type { KnownCell } from '../control/state';
import { isRunning } from './model';

/** The text of the status item. */
export function summary(running: number, waiting: number): string {
  const parts = [running && `${running} running`, waiting && `${waiting} waiting`].filter(Boolean);
  return `Code Mode: ${parts.join(', ') || 'nothing runs'}`;
}

/** What it means. */
export function explanation(running: number, waiting: number): string {
  const cells = (count: number) => (count === 1 ? '1 cell' : `${count} cells`);
  const lines = [
    running && `${cells(running)} running`,
    waiting && `${cells(waiting)} ended, to be collected with %wait`
  ];
  return lines.filter(Boolean).join('\n') || 'No cell runs or waits to be collected.';
}

/** The state of a cell, `now` in milliseconds of the page's clock. */
export function stateOf(cell: KnownCell, now: number): string {
  if (!isRunning(cell)) {
    return `${cell.status ?? 'ended'}, to be collected with %wait ${cell.cell_id ?? ''}`;
  }
  const running = `running ${duration(cell.age_s + (now - cell.toldAt) / 1000)}`;
  if (cell.asking) {
    return `${running}, waiting for your answer`;
  }
  if (cell.open_calls) {
    const calls = cell.open_calls === 1 ? '1 tool call' : `${cell.open_calls} tool calls`;
    return `${running}, waiting for ${calls}`;
  }
  return running;
}

/** A length of time in words, as the kernel's footers write it. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
