import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import { Widget } from '@lumino/widgets';

/** One record under its cell. */
export class RecordWidget extends Widget implements IRenderMime.IRenderer {
  constructor(mimeType: string) {
    super();
    this.addClass('codemode-record');
    this._mimeType = mimeType;
  }

  renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    this.node.textContent = JSON.stringify(model.data[this._mimeType]);
    return Promise.resolve();
  }

  private readonly _mimeType: string;
}
