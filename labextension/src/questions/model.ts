import type { INotebookTracker } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import type { ISignal } from '@lumino/signaling';

import type { Attachment } from '../control/attachment';
import type { IAttachments } from '../control/attachments';
import type { QuestionFacts } from '../schemas/control.v1.schema';
import { openBoxes, removeBoxes } from './boxes';

/** An input box may come after the news that its question is settled; in milliseconds. */
const STRAGGLER_MS = 1000;

/** A question and the document whose kernel asks it. */
export interface AskedQuestion {
  readonly attachment: Attachment;
  readonly facts: QuestionFacts;
}

/** What all kernels ask the person, and the way to answer. */
export class QuestionsModel {
  constructor(
    private readonly _tracker: INotebookTracker,
    attachments: IAttachments
  ) {
    attachments.added.connect((_, attachment) => {
      this._follow(attachment);
    });
  }

  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /** Open questions, document by document, oldest first. */
  get questions(): readonly AskedQuestion[] {
    return [...this._known].flatMap(([attachment, questions]) =>
      questions.map(facts => ({ attachment, facts }))
    );
  }

  /** Answer; rejects with the reason when the kernel refuses. The input box goes with it. */
  async answer(question: AskedQuestion, choice: string, content: Content = null): Promise<void> {
    const { attachment, facts } = question;
    const boxes = openBoxes(this._tracker, attachment, facts.notebook_cell);
    const { question_id } = facts;
    await attachment.order({ type: 'answer_question', question_id, choice, content });
    removeBoxes(attachment, boxes);
  }

  /** Show the notebook cell that a question belongs to. */
  reveal({ attachment, facts }: AskedQuestion): void {
    const panel = this._tracker.find(candidate => candidate.context === attachment.context);
    const index =
      panel?.content.widgets.findIndex(({ model }) => model.id === facts.notebook_cell) ?? -1;
    if (panel && index >= 0) {
      panel.content.activeCellIndex = index;
      void panel.content.scrollToItem(index);
    }
  }

  private _follow(attachment: Attachment): void {
    attachment.state.changed.connect(() => {
      this._take(attachment, attachment.state.questions);
    });
    attachment.context.disposed.connect(() => {
      this._take(attachment, []);
    });
  }

  private _take(attachment: Attachment, questions: readonly QuestionFacts[]): void {
    const before = this._known.get(attachment) ?? [];
    if (before === questions || (!before.length && !questions.length)) {
      return;
    }
    this._known.set(attachment, questions);
    for (const { question_id, notebook_cell } of before) {
      if (!questions.some(still => still.question_id === question_id)) {
        window.setTimeout(() => {
          this._tidy(attachment, notebook_cell);
        }, STRAGGLER_MS);
      }
    }
    this._changed.emit();
  }

  /** Remove the box of a question that was settled elsewhere, unless another one is open there. */
  private _tidy(attachment: Attachment, notebookCell: string | null): void {
    const open = this._known.get(attachment) ?? [];
    if (!attachment.isDisposed && !open.some(facts => facts.notebook_cell === notebookCell)) {
      removeBoxes(attachment, openBoxes(this._tracker, attachment, notebookCell));
    }
  }

  private readonly _known = new Map<Attachment, readonly QuestionFacts[]>();
  private readonly _changed = new Signal<this, void>(this);
}

/** What goes with an answer: a filled-in form, or a text. */
export type Content = Record<string, unknown> | string | null;
