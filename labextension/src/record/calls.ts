import type { CallApproval, CallOutcome, CallRecord } from '../schemas/record.v1.schema';
import { wholeCall } from './commands';
import { cut, duration, moment } from './quantities';

/** Longest text of arguments or a result that is put on the page. */
export const SHOWN = 20_000;

/** A nested call as the tree shows it. */
export interface CallView {
  /** Tells it from the other calls of its cell. */
  readonly id: string;
  readonly outcome: CallOutcome | 'pending';
  readonly tool: string;
  /** Source, outcome, duration, approval, in words. */
  readonly facts: readonly string[];
  readonly parts: readonly CallPart[];
}

/** What a call shows when it is opened. */
export interface CallPart {
  readonly label: string;
  readonly text: string;
  /** `words` are read in a line, `code` keeps its line breaks, a `command` can be copied. */
  readonly kind: 'words' | 'code' | 'command';
}

/** `cell` is the id of the cell that made the call. */
export function callView(call: CallRecord, cell: string): CallView {
  return {
    id: call.id,
    outcome: call.outcome ?? 'pending',
    tool: call.tool,
    facts: facts(call),
    parts: parts(call, cell)
  };
}

/** Whether the gate, or the person it asked, said no. */
export function isRefused(call: CallRecord): boolean {
  return call.approval?.decision === 'refused';
}

const OUTCOME_WORDS: Readonly<Record<CallOutcome | 'pending', string>> = {
  ok: '',
  error: 'failed',
  cancelled: 'cancelled',
  unknown: 'outcome unknown',
  pending: 'in progress'
};

function facts(call: CallRecord): string[] {
  return [
    call.source ?? '',
    isRefused(call) ? '' : OUTCOME_WORDS[call.outcome ?? 'pending'],
    call.duration_s === undefined ? '' : duration(call.duration_s),
    call.approval === undefined ? '' : approvalWords(call.approval),
    call.late ? 'late' : ''
  ].filter(fact => fact !== '');
}

const DECISION_WORDS: Readonly<Record<CallApproval['decision'], string>> = {
  rule: 'allowed by rule',
  once: 'approved once',
  same: 'approved with these arguments',
  session: 'approved for the session',
  refused: 'refused'
};

function approvalWords({ decision, asked_s: asked = 0 }: CallApproval): string {
  const wait = asked > 0 ? ` after ${duration(asked)}` : '';
  return DECISION_WORDS[decision] + wait;
}

function parts(call: CallRecord, cell: string): CallPart[] {
  const found: CallPart[] = [{ label: 'started', text: moment(call.started), kind: 'words' }];
  if (call.arguments !== undefined) {
    found.push({ label: 'arguments', text: json(call.arguments), kind: 'code' });
  }
  if (call.result !== undefined) {
    found.push({ label: 'result', text: json(call.result), kind: 'code' });
  }
  if (call.error !== undefined) {
    found.push({ label: 'error', text: cut(call.error, SHOWN), kind: 'code' });
  }
  const omitted = omission(call);
  if (omitted !== '') {
    found.push({ label: 'left out', text: omitted, kind: 'words' });
  }
  const command = call.cut ? wholeCall(cell, call.id) : undefined;
  if (command !== undefined) {
    found.push({ label: 'all of it, while the session lasts', text: command, kind: 'command' });
  }
  return found;
}

function json(value: unknown): string {
  return cut(JSON.stringify(value, null, 2), SHOWN);
}

function omission(call: CallRecord): string {
  const secrets = (call.secret_fields ?? []).map(pointer => `${pointer} (secret)`);
  return [...secrets, ...(call.cut ? ['what was too long for the record'] : [])].join(', ');
}
