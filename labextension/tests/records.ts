import type { CallRecord, Record as CellRecord } from '../src/schemas/record.v1.schema';

/** The least a record can hold, with what a test adds. */
export function aRecord(fields: Partial<CellRecord> = {}): CellRecord {
  return {
    version: 1,
    cell_id: '3',
    kind: 'exec',
    status: 'completed',
    started: '2026-01-31T12:00:00.000Z',
    wall_time_s: 0.34,
    ...fields
  };
}

/** The least a call can hold, with what a test adds. */
export function aCall(fields: Partial<CallRecord> = {}): CallRecord {
  return { id: 'tool-1', tool: 'exec_command', started: '2026-01-31T12:00:00.000Z', ...fields };
}
