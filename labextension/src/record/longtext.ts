import type { Stretch } from './cuts';
import { element } from './element';
import { figure } from './quantities';

/** Characters of a text that are drawn before a person asks for all. */
export const DRAWN = 20_000;

/** A text with its cuts marked; a long one is drawn up to `DRAWN` and has a button for the rest. */
export function longText(parts: readonly Stretch[]): HTMLElement {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const box = element('pre', 'codemode-text', ...drawn(parts, DRAWN));
  // Else what is longer than the box could be scrolled by the mouse alone.
  box.tabIndex = 0;
  if (length <= DRAWN) {
    return box;
  }
  const more = button(`Show all ${figure(length)} characters`, () => {
    box.replaceChildren(...drawn(parts, length));
    more.remove();
    box.focus();
  });
  return element('div', 'codemode-long', box, more);
}

/** A button of a record. */
export function button(label: string, onPress: () => void): HTMLButtonElement {
  const made = element('button', 'codemode-button', label);
  made.type = 'button';
  made.addEventListener('click', onPress);
  return made;
}

function drawn(parts: readonly Stretch[], limit: number): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let room = limit;
  for (const { text, isCut } of parts) {
    const shown = text.slice(0, room);
    room -= shown.length;
    if (shown !== '') {
      nodes.push(isCut ? element('mark', 'codemode-cut', shown) : shown);
    }
  }
  return nodes;
}
