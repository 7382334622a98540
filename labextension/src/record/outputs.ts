import type { Widget } from '@lumino/widgets';

import type { OutputData } from './media';
import { isObject } from './shape';

/** The outputs of the cell that a widget is drawn in; none where it is drawn elsewhere. */
export function* outputsAround(widget: Widget): Generator<OutputData> {
  const model = outputsModel(widget);
  for (let index = 0; index < (model?.length ?? 0); index += 1) {
    const { data } = model?.get(index) ?? {};
    if (isObject(data)) {
      yield data;
    }
  }
}

/** What is asked of an output area's model: a renderer is told only of its own output. */
interface OutputsModel {
  readonly length: number;
  get(index: number): { readonly data?: unknown };
}

function outputsModel(widget: Widget): OutputsModel | undefined {
  for (let above = widget.parent; above !== null; above = above.parent) {
    const { model } = above as { readonly model?: unknown };
    if (isObject(model) && typeof model.length === 'number' && typeof model.get === 'function') {
      return model as unknown as OutputsModel;
    }
  }
  return undefined;
}
