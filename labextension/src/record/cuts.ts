/** A stretch of a text, or the words that stand where something was cut out of it. */
export interface Stretch {
  readonly text: string;
  readonly isCut: boolean;
}

/** What a budget puts in place of what it takes out (`codemode_rules.budget`). */
const BUDGET =
  /^Warning: truncated output \(original token count: \d+\)$|…\d+ tokens truncated…|^\[omitted \d+ (?:text|audio) items \.\.\.\]$/gm;

/** What the record puts in place of what it has no room for. */
const RECORD = /… \([\d,]+ more characters\)$/g;

/** Where something of a text can have been cut out: by the budget, by the record. */
export interface CutBy {
  readonly budget: boolean;
  readonly record: boolean;
}

/** A text in stretches; a script may print the same words, so none is looked for without a reason. */
export function stretches(text: string, by: CutBy): Stretch[] {
  const marks = [
    ...(by.budget ? text.matchAll(BUDGET) : []),
    ...(by.record ? text.matchAll(RECORD) : [])
  ].sort((one, other) => one.index - other.index);
  const found: Stretch[] = [];
  let at = 0;
  for (const mark of marks) {
    found.push({ text: text.slice(at, mark.index), isCut: false });
    found.push({ text: mark[0], isCut: true });
    at = mark.index + mark[0].length;
  }
  return [...found, { text: text.slice(at), isCut: false }].filter(({ text }) => text !== '');
}
