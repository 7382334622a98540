/** Bytes of UTF-8 that count as one token: the kernel's own estimate (`codemode_rules.budget`). */
const BYTES_PER_TOKEN = 4;

const encoder = new TextEncoder();

/** Estimated tokens of a text. */
export function tokensOf(text: string): number {
  return Math.ceil(encoder.encode(text).length / BYTES_PER_TOKEN);
}
