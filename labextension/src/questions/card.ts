import { element } from '../record/element';
import { FormView } from './form';
import type { AskedQuestion, Content, QuestionsModel } from './model';

/** One question with its buttons. */
export class QuestionCard {
  constructor(
    private readonly _model: QuestionsModel,
    private readonly _question: AskedQuestion
  ) {
    const { facts } = _question;
    this._form = facts.form ? new FormView(facts.form) : null;
    this._text = facts.takes_text ? element('textarea', '') : null;
    const title = element('button', 'codemode-question-title', facts.title);
    title.type = 'button';
    title.title = 'Show the notebook cell';
    title.id = `codemode-question-${_question.attachment.context.path}-${facts.question_id}`;
    title.onclick = () => {
      _model.reveal(_question);
    };
    const text = element('pre', 'codemode-question-text', facts.text);
    text.tabIndex = 0; // a long call is scrolled with the keyboard too
    const reason = element('div', 'codemode-question-reason', facts.reason);
    this._refusal.setAttribute('role', 'alert');
    this.element.setAttribute('role', 'alertdialog');
    this.element.setAttribute('aria-labelledby', title.id);
    this.element.append(title, text, reason);
    if (this._form) {
      this.element.append(this._form.element);
    }
    if (this._text) {
      this._text.setAttribute('aria-label', 'Your answer');
      this.element.append(this._text);
    }
    this.element.append(this._buttons(), this._refusal);
  }

  readonly element = element('section', 'codemode-question');

  /** Give the keyboard to what is to be filled in, or to the first button. */
  focus(): void {
    const first = '.codemode-question-form :is(input, select), textarea, .codemode-question-choice';
    this.element.querySelector<HTMLElement>(first)?.focus();
  }

  private _buttons(): HTMLElement {
    const buttons = this._question.facts.choices.map(({ word, label }, index) => {
      const button = element('button', 'codemode-question-choice', label);
      button.type = 'button';
      button.onclick = () => void this._answer(word, index === 0);
      return button;
    });
    return element('div', 'codemode-question-choices', ...buttons);
  }

  private async _answer(word: string, isFirst: boolean): Promise<void> {
    let content: Content = null;
    if (isFirst && this._form) {
      const filled = this._form.filled;
      if ('problem' in filled) {
        this._refusal.textContent = filled.problem;
        return;
      }
      ({ content } = filled);
    } else if (isFirst && this._text) {
      content = this._text.value;
    }
    try {
      await this._model.answer(this._question, word, content);
    } catch (error) {
      this._refusal.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private readonly _form: FormView | null;
  private readonly _text: HTMLTextAreaElement | null;
  private readonly _refusal = element('div', 'codemode-question-refusal');
}
