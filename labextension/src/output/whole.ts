import type { Answer, Command } from '../control/messages';

/** Gives a command to a kernel. */
export type Order = (command: Command) => Promise<Answer>;

/** The text of a capture's file, asked for piece by piece. */
export async function wholeText(order: Order, file: string): Promise<Blob> {
  const pieces: string[] = [];
  let offset: number | null | undefined = 0;
  while (typeof offset === 'number') {
    const answer: Answer = await order({ type: 'read_capture', file, offset });
    if (answer.type !== 'capture_piece') {
      throw new Error(`no piece of a capture: ${answer.type}`);
    }
    pieces.push(answer.text);
    offset = answer.next_offset;
  }
  return new Blob(pieces, { type: 'text/plain;charset=utf-8' });
}
