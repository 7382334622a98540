import type { ICodeCellModel } from '@jupyterlab/cells';
import type { CellList } from '@jupyterlab/notebook';

import type { SeenCell } from '../schemas/control.v1.schema';

/** What a page shows of its code cells, for the kernel to tell what is missing. */
export function seenCells(cells: CellList): SeenCell[] {
  return [...cells].filter(cell => cell.type === 'code').map(cell => seen(cell as ICodeCellModel));
}

function seen(cell: ICodeCellModel): SeenCell {
  const { outputs } = cell;
  let characters = 0;
  for (let index = 0; index < outputs.length; index++) {
    characters += codePoints(outputs.get(index).streamText?.text ?? '');
  }
  return {
    notebook_cell: cell.id,
    execution_count: cell.executionCount,
    outputs: outputs.length,
    characters
  };
}

function codePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return count;
}
