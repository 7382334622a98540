import { callTree } from './calltree';
import { element } from './element';
import type { Fact } from './facts';
import type { ItemView } from './items';
import type { RecordView } from './view';

/** Everything a record shows when it is opened. `openCalls` outlives the elements. */
export function body(view: RecordView, openCalls: Set<string>): HTMLElement {
  const sections: HTMLElement[] = [];
  if (view.calls.length > 0) {
    sections.push(section('Nested calls', callTree(view.calls, openCalls)));
  }
  if (view.items.length > 0) {
    sections.push(section('What a model got', ...view.items.map(item)));
  }
  if (view.notifications.length > 0) {
    sections.push(section('Notifications', ...view.notifications.map(text)));
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

function item({ kind, text: content }: ItemView): HTMLElement {
  return kind === 'text' ? text(content) : element('p', 'codemode-media', content);
}

function text(content: string): HTMLElement {
  return element('pre', 'codemode-text', content);
}
