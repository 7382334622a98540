import { element } from './element';
import { button } from './longtext';

/** A magic to be run in a cell, and a button that copies it. */
export function commandLine(command: string): HTMLElement {
  const code = element('code', 'codemode-tool', command);
  const copy = button('Copy', () => {
    copyText(command).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        window.getSelection()?.selectAllChildren(code);
        copy.textContent = 'Selected';
      }
    );
  });
  copy.setAttribute('aria-label', `Copy ${command}`);
  return element('span', 'codemode-command', code, copy);
}

/** Fails where the page may not write to the clipboard. */
async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard === undefined) {
    throw new Error('no clipboard');
  }
  await clipboard.writeText(text);
}
