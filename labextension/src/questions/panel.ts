import { Widget } from '@lumino/widgets';

import { QuestionCard } from './card';
import type { AskedQuestion, QuestionsModel } from './model';

/**
 * The open questions, in a corner of the page. It takes neither the keyboard nor the page away: the
 * input box under the cell answers as well, and so does a page elsewhere.
 */
export class QuestionPanel extends Widget {
  constructor(private readonly _model: QuestionsModel) {
    super();
    this.addClass('codemode-questions');
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', 'Questions of Code Mode');
    this.node.setAttribute('aria-live', 'polite');
    this.node.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        this._giveBack?.focus();
      }
    });
    // No key binding of JupyterLab's: those do not work in an input box.
    document.addEventListener('keydown', this._onKey, true);
    _model.changed.connect(this._draw, this);
    this._draw();
  }

  override dispose(): void {
    document.removeEventListener('keydown', this._onKey, true);
    this._model.changed.disconnect(this._draw, this);
    super.dispose();
  }

  /** Give the keyboard to the oldest question; Escape gives it back. */
  focus(): void {
    const active = document.activeElement;
    if (active instanceof HTMLElement && !this.node.contains(active)) {
      this._giveBack = active;
    }
    const [first] = this._cards.values();
    first?.focus();
  }

  /** A card is kept while its question is open, with what is filled in and the keyboard. */
  private _draw(): void {
    const had = this.node.contains(document.activeElement);
    const cards = new Map<string, QuestionCard>();
    for (const question of this._model.questions) {
      const key = keyOf(question);
      cards.set(key, this._cards.get(key) ?? new QuestionCard(this._model, question));
    }
    for (const [key, card] of this._cards) {
      if (!cards.has(key)) {
        card.element.remove();
      }
    }
    for (const card of cards.values()) {
      if (!card.element.isConnected) {
        this.node.append(card.element);
      }
    }
    this._cards = cards;
    this.setHidden(!cards.size);
    if (had && !this.node.contains(document.activeElement)) {
      this._giveBack?.focus();
    }
  }

  private readonly _onKey = (event: KeyboardEvent) => {
    if (event.altKey && event.code === 'KeyQ' && this._cards.size) {
      event.preventDefault();
      event.stopPropagation();
      this.focus();
    }
  };

  private _cards = new Map<string, QuestionCard>();
  private _giveBack: HTMLElement | null = null;
}

function keyOf({ attachment, facts }: AskedQuestion): string {
  return `${attachment.context.path} ${facts.question_id}`;
}
