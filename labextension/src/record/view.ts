import type { Record as CellRecord } from '../schemas/record.v1.schema';
import { callView, type CallView } from './calls';
import { factsOf, type Fact } from './facts';
import { itemViews, type ItemView } from './items';

/** What a record shows when it is opened. */
export interface RecordView {
  readonly facts: readonly Fact[];
  readonly calls: readonly CallView[];
  readonly items: readonly ItemView[];
  readonly notifications: readonly string[];
}

export function viewOf(record: CellRecord): RecordView {
  return {
    facts: factsOf(record),
    calls: (record.calls ?? []).map(callView),
    items: itemViews(record.model_view),
    notifications: (record.notifications ?? []).map(({ text, cell_id: from }) =>
      from === undefined ? text : `Cell ${from}: ${text}`
    )
  };
}
