/** What a cell's id looks like: `3`, `g2:1`. A notebook of somebody else can hold anything. */
const CELL_ID = /^[\w:]{1,40}$/;

/** What a call's id looks like. */
const CALL_ID = /^tool-\d{1,9}$/;

/** The magic that shows a cell's whole output; none for an id that no kernel gives. */
export function wholeOutput(cell: string): string | undefined {
  return CELL_ID.test(cell) ? `%view ${cell} --full` : undefined;
}

/** The magic that shows all that a call was given and gave; none for ids that no kernel gives. */
export function wholeCall(cell: string, call: string): string | undefined {
  return CELL_ID.test(cell) && CALL_ID.test(call) ? `%view ${cell} --call ${call}` : undefined;
}
