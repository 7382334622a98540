import { FILE_ATTRIBUTE } from '../output/link';
import { callTree } from './calltree';
import { commandLine } from './command';
import { element } from './element';
import type { Fact } from './facts';
import { button } from './longtext';
import type { FindMedia } from './media';
import { itemList } from './modelview';
import type { CaptureView, RecordView } from './view';

/** What of an opened record outlives its elements, and what they are drawn with. */
export interface Surroundings {
  /** Ids of the calls that are opened. */
  readonly openCalls: Set<string>;
  readonly findMedia: FindMedia;
  /** Whether the record stands beside the outputs of its cell rather than below them. */
  readonly isBeside: () => boolean;
  readonly setBeside: (isBeside: boolean) => void;
}

/** Everything a record shows when it is opened. */
export function body(view: RecordView, around: Surroundings): HTMLElement {
  const sections: HTMLElement[] = [];
  if (view.calls.length > 0) {
    sections.push(section('Nested calls', callTree(view.calls, around.openCalls)));
  }
  if (view.items.length > 0) {
    const items = itemList(view.items, around.findMedia);
    sections.push(section('What a model got', besideButton(around), items));
  }
  if (view.notifications.length > 0) {
    const notes = itemList(view.notifications, around.findMedia);
    sections.push(section('Notifications', notes));
  }
  if (view.capture !== undefined) {
    sections.push(section('Whole output', captureLine(view.capture)));
  }
  return element('div', 'codemode-body', factList(view.facts), ...sections);
}

function section(title: string, ...content: HTMLElement[]): HTMLElement {
  const made = element(
    'section',
    'codemode-section',
    element('h4', 'codemode-title', title),
    ...content
  );
  made.setAttribute('aria-label', title);
  return made;
}

/** Puts the record to the right of what the person got, and back. */
function besideButton({ isBeside, setBeside }: Surroundings): HTMLElement {
  const made = button('Beside the output', () => {
    setBeside(!isBeside());
    made.setAttribute('aria-pressed', String(isBeside()));
  });
  made.classList.add('codemode-beside');
  made.setAttribute('aria-pressed', String(isBeside()));
  return made;
}

function captureLine({ words, command, file }: CaptureView): HTMLElement {
  const line = element('div', 'codemode-capture', element('span', 'codemode-value', words));
  if (command !== undefined) {
    line.append(commandLine(command));
  }
  if (file !== undefined) {
    line.append(saveButton(file));
  }
  return line;
}

/** Saves an output to a file; `output/` listens to its click, as a renderer knows no kernel. */
function saveButton(file: string): HTMLElement {
  const made = button('Save to a file', () => undefined);
  made.setAttribute(FILE_ATTRIBUTE, file);
  return made;
}

function factList(facts: readonly Fact[]): HTMLElement {
  const pairs = facts.map(({ name, value }) =>
    element(
      'div',
      'codemode-fact',
      element('dt', 'codemode-label', name),
      element('dd', 'codemode-value', value)
    )
  );
  return element('dl', 'codemode-fact-list', ...pairs);
}
