import { showPopup } from '@jupyterlab/statusbar';
import type { Popup } from '@jupyterlab/statusbar';
import { Widget } from '@lumino/widgets';

import { RunningList } from './list';
import type { StatusModel } from './model';
import { explanation, summary } from './wording';

/** The status bar's item: how many cells run, and a list of them when it is pressed. */
export class StatusItem extends Widget {
  constructor(private readonly _model: StatusModel) {
    super({ node: document.createElement('button') });
    this.addClass('codemode-status');
    this.node.setAttribute('type', 'button');
    this.node.setAttribute('aria-haspopup', 'dialog');
    this.node.addEventListener('click', () => {
      this._toggle();
    });
    _model.changed.connect(this._draw, this);
    this._draw();
  }

  override dispose(): void {
    this._popup?.dispose();
    super.dispose();
  }

  private _draw(): void {
    const { runningCount, waitingCount, problem } = this._model;
    this.node.textContent = problem
      ? 'Code Mode: not attached'
      : summary(runningCount, waitingCount);
    this.node.title = problem || explanation(runningCount, waitingCount);
    this.node.classList.toggle('codemode-mod-running', runningCount > 0);
  }

  private _toggle(): void {
    if (this._popup) {
      this._popup.dispose();
      return;
    }
    const list = new RunningList(this._model);
    const popup = showPopup({ body: list, anchor: this, align: 'left', hasDynamicSize: true });
    this._popup = popup;
    this.node.setAttribute('aria-expanded', 'true');
    popup.disposed.connect(() => {
      this._popup = null;
      this.node.setAttribute('aria-expanded', 'false');
      this.node.focus();
    });
    list.focus();
  }

  private _popup: Popup | null = null;
}
