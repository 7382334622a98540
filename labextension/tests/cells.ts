import type { CellFacts, QuestionFacts, Snapshot } from '../src/schemas/control.v1.schema';

/** A cell that runs, with what a test says of it. */
export function aCell(facts: Partial<CellFacts> = {}): CellFacts {
  return {
    serial: 1,
    cell_id: '1',
    label: 'In [1]',
    notebook_cell: 'x',
    stage: 'running',
    observed: false,
    age_s: 2,
    waiting_items: 0,
    call_count: 0,
    open_calls: 0,
    asking: 0,
    status: null,
    error: null,
    ...facts
  };
}

/** A snapshot of these cells. */
export function aSnapshot(sequence: number, ...cells: CellFacts[]): Snapshot {
  const kernel = {
    version: '1',
    profile: 'codex',
    late_output: 'wait',
    host: '',
    host_pid: 1,
    engine: ''
  };
  return { type: 'snapshot', version: 1, sequence, kernel, cells, shells: [] };
}

/** An open question of this id. */
export function aQuestion(question_id: string): QuestionFacts {
  return {
    question_id,
    notebook_cell: 'x',
    title: 'In [1] wants to call save',
    text: '{}',
    reason: 'no rule allows it',
    choices: [{ word: 'once', label: 'Allow once' }],
    form: null,
    takes_text: false
  };
}
