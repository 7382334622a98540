import type { CallPart, CallView } from './calls';
import { commandLine } from './command';
import { element } from './element';
import { caret, statusIcon } from './icon';
import { TreeBehavior } from './tree';

/** Nested calls as a tree, each opened to its parts. `open` has the ids of the opened ones. */
export function callTree(calls: readonly CallView[], open: Set<string>): HTMLElement {
  const tree = element('ul', 'codemode-tree', ...calls.map(call => callItem(call, open)));
  tree.setAttribute('role', 'tree');
  tree.setAttribute('aria-label', 'Nested calls');
  new TreeBehavior(tree, (item, expanded) => {
    const { id = '' } = item.dataset;
    if (expanded) {
      open.add(id);
    } else {
      open.delete(id);
    }
  });
  return tree;
}

function callItem(call: CallView, open: ReadonlySet<string>): HTMLElement {
  const facts = call.facts.join(' · ');
  const row = element(
    'div',
    'codemode-tree-row',
    caret(),
    statusIcon(call.outcome),
    element('code', 'codemode-tool', call.tool),
    element('span', 'codemode-facts', facts)
  );
  const group = element('ul', 'codemode-tree-group', ...call.parts.map(partItem));
  group.setAttribute('role', 'group');
  const item = treeItem(row, group);
  // Else it would be named after everything in its group.
  item.setAttribute('aria-label', `${call.tool}: ${facts}`);
  item.setAttribute('aria-expanded', String(open.has(call.id)));
  item.dataset.id = call.id;
  return item;
}

function partItem({ label, text, kind }: CallPart): HTMLElement {
  return treeItem(element('span', 'codemode-label', `${label} `), partContent(text, kind));
}

function partContent(text: string, kind: CallPart['kind']): HTMLElement {
  switch (kind) {
    case 'code':
      return element('pre', 'codemode-text', text);
    case 'command':
      return commandLine(text);
    case 'words':
      return element('span', 'codemode-value', text);
  }
}

function treeItem(...content: HTMLElement[]): HTMLElement {
  const item = element('li', 'codemode-tree-item', ...content);
  item.setAttribute('role', 'treeitem');
  return item;
}
