import type { Answer, Command } from '../control/messages';

/** Gives a command to a kernel. */
export type Order = (command: Command) => Promise<Answer>;

/** The whole output of a cell or a command, asked for piece by piece. */
export async function wholeText(order: Order, id: string): Promise<Blob> {
  const pieces: string[] = [];
  let offset: number | null | undefined = 0;
  while (typeof offset === 'number') {
    const answer: Answer = await order({ type: 'read_output', output: id, offset });
    if (answer.type !== 'output_piece') {
      throw new Error(`no piece of an output: ${answer.type}`);
    }
    pieces.push(answer.text);
    offset = answer.next_offset;
  }
  return new Blob(pieces, { type: 'text/plain;charset=utf-8' });
}

/** The name under which it is saved. */
export function fileName(id: string): string {
  const name = id.replace(/[^\w-]/g, '-').slice(0, 40);
  return name.startsWith('shell-') ? `${name}.txt` : `cell-${name}.txt`;
}
