import { element } from './element';
import type { ItemView } from './items';
import { button, longText } from './longtext';
import type { FindMedia } from './media';
import { count } from './quantities';

/** Items that are drawn before a person asks for all. */
const DRAWN = 100;

/** The items of a model view, each under its title. */
export function itemList(items: readonly ItemView[], find: FindMedia): HTMLElement {
  const list = element('ol', 'codemode-items', ...items.slice(0, DRAWN).map(draw));
  if (items.length <= DRAWN) {
    return list;
  }
  const more = button(`Show all ${count(items.length, 'item')}`, () => {
    list.append(...items.slice(DRAWN).map(draw));
    more.remove();
  });
  return element('div', 'codemode-long', list, more);

  function draw(item: ItemView): HTMLElement {
    const content = item.kind === 'text' ? longText(item.stretches) : media(item, find);
    return element('li', 'codemode-item', element('div', 'codemode-label', item.title), content);
  }
}

/** The words that name an image or a sound, and itself once it is found. */
function media({ kind, stretches, sha256 }: ItemView, find: FindMedia): HTMLElement {
  const words = stretches.map(({ text }) => text).join('');
  const box = element('div', 'codemode-media', words);
  if (kind !== 'text' && sha256 !== undefined) {
    void find(kind, sha256).then(url => {
      if (url !== undefined) {
        box.prepend(kind === 'image' ? image(url, words) : sound(url, words));
      }
    });
  }
  return box;
}

function image(url: string, words: string): HTMLElement {
  const made = element('img', 'codemode-image');
  made.alt = words;
  made.src = url;
  return made;
}

function sound(url: string, words: string): HTMLElement {
  const made = element('audio', 'codemode-sound');
  made.controls = true;
  made.preload = 'metadata';
  made.setAttribute('aria-label', words);
  made.src = url;
  return made;
}
