import type { CallOutcome, Record as CellRecord, Status } from '../schemas/record.v1.schema';
import { isRefused } from './calls';
import { count, duration, figure } from './quantities';

/** The one line that is seen of a record that nobody has opened. */
export interface Summary {
  readonly status: Status;
  /** Status, wall time, tokens, calls, in words. */
  readonly facts: readonly string[];
  /** How much of a truncated output a model got; absent when it is whole. */
  readonly truncated?: string;
}

const EXEC_WORDS: Readonly<Record<Exclude<Status, 'running'>, string>> = {
  completed: 'Completed',
  failed: 'Failed',
  terminated: 'Terminated'
};

const WAIT_WORDS: Readonly<Record<Status, string>> = {
  completed: 'has completed',
  failed: 'has failed',
  running: 'is still running',
  terminated: 'was terminated'
};

export function summaryOf(record: CellRecord): Summary {
  const facts = ending(record);
  if (record.tokens !== undefined && record.tokens > 0) {
    facts.push(count(record.tokens, 'token'));
  }
  facts.push(...callFacts(record));
  return { status: record.status, facts, ...truncation(record) };
}

/** How it ended, and when; a cell that went on has a live line of its own to say how it does. */
function ending({ kind, status, cell_id: cell, wall_time_s: seconds }: CellRecord): string[] {
  if (kind === 'wait') {
    return [`Cell ${cell} ${WAIT_WORDS[status]}`, duration(seconds)];
  }
  return status === 'running'
    ? [`Yielded after ${duration(seconds)}`]
    : [EXEC_WORDS[status], duration(seconds)];
}

function callFacts(record: CellRecord): string[] {
  const { calls = [], left_out: left = {} } = record;
  const ended = (outcome: CallOutcome): number =>
    calls.filter(call => call.outcome === outcome).length;
  const all = calls.length + (left.calls ?? 0);
  const refusedHere = calls.filter(call => call.outcome === 'error' && isRefused(call)).length;
  const refused = refusedHere + (left.calls_refused ?? 0);
  const failed = ended('error') - refusedHere + (left.calls_failed ?? 0);
  const cancelled = ended('cancelled') + (left.calls_cancelled ?? 0);
  const unknown = ended('unknown') + (left.calls_unknown ?? 0);
  return [
    ...(all > 0 ? [count(all, 'call')] : []),
    ...(failed > 0 ? [`${String(failed)} failed`] : []),
    ...(refused > 0 ? [`${String(refused)} refused`] : []),
    ...(cancelled > 0 ? [`${String(cancelled)} cancelled`] : []),
    ...(unknown > 0 ? [`${String(unknown)} with an unknown outcome`] : [])
  ];
}

function truncation({ truncated, tokens, emitted_tokens: given }: CellRecord): {
  truncated?: string;
} {
  if (!truncated) {
    return {};
  }
  const amount =
    tokens === undefined || given === undefined
      ? 'a part'
      : `${figure(tokens)} of ${count(given, 'token')}`;
  return { truncated: `A model got ${amount} of this` };
}
