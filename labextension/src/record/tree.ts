const ITEM = '[role="treeitem"]';

/** Told of an item that a person opens or closes. */
export type OnToggle = (item: HTMLElement, expanded: boolean) => void;

/**
 * Gives elements of the roles `tree`, `group` and `treeitem` the keys and clicks of a tree (ARIA
 * Authoring Practices, tree view): one item at a time can be reached by Tab, arrows do the rest.
 */
export class TreeBehavior {
  constructor(root: HTMLElement, onToggle: OnToggle) {
    this._root = root;
    this._onToggle = onToggle;
    this._makeReachable(this._visibleItems()[0]);
    root.addEventListener('keydown', event => {
      this._onKeyDown(event);
    });
    root.addEventListener('click', event => {
      this._onClick(event);
    });
  }

  private _onKeyDown(event: KeyboardEvent): void {
    const item = itemOf(event.target);
    if (item === null || isPressed(event) || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (this._press(event.key, item)) {
      event.preventDefault();
    }
  }

  /** Whether the key means something to a tree. */
  private _press(key: string, item: HTMLElement): boolean {
    const items = this._visibleItems();
    const at = items.indexOf(item);
    switch (key) {
      case 'ArrowDown':
        return this._focus(items[at + 1]);
      case 'ArrowUp':
        return this._focus(items[at - 1]);
      case 'Home':
        return this._focus(items[0]);
      case 'End':
        return this._focus(items.at(-1));
      case 'ArrowRight':
        return isExpanded(item) ? this._focus(items[at + 1]) : this._toggle(item, true);
      case 'ArrowLeft':
        return isExpanded(item) ? this._toggle(item, false) : this._focus(parentOf(item));
      case 'Enter':
      case ' ':
        return this._toggle(item, !isExpanded(item));
      default:
        return false;
    }
  }

  private _onClick(event: MouseEvent): void {
    const item = itemOf(event.target);
    // A click into an opened part is there to select its text.
    if (item?.hasAttribute('aria-expanded')) {
      this._focus(item);
      this._toggle(item, !isExpanded(item));
    }
  }

  private _toggle(item: HTMLElement, expanded: boolean): true {
    if (item.hasAttribute('aria-expanded') && isExpanded(item) !== expanded) {
      item.setAttribute('aria-expanded', String(expanded));
      this._onToggle(item, expanded);
    }
    return true;
  }

  private _focus(item: HTMLElement | null | undefined): true {
    if (item) {
      this._makeReachable(item);
      item.focus();
    }
    return true;
  }

  private _makeReachable(item: HTMLElement | undefined): void {
    for (const other of this._root.querySelectorAll<HTMLElement>(ITEM)) {
      other.tabIndex = other === item ? 0 : -1;
    }
  }

  private _visibleItems(): HTMLElement[] {
    const items = [...this._root.querySelectorAll<HTMLElement>(ITEM)];
    return items.filter(item => {
      const parent = parentOf(item);
      return parent === null || isExpanded(parent);
    });
  }

  private readonly _root: HTMLElement;
  private readonly _onToggle: OnToggle;
}

/** Whether the key is one that presses the button it comes from. */
function isPressed({ key, target }: KeyboardEvent): boolean {
  return (key === 'Enter' || key === ' ') && target instanceof HTMLButtonElement;
}

function itemOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(ITEM) : null;
}

function parentOf(item: HTMLElement): HTMLElement | null {
  return item.parentElement?.closest<HTMLElement>(ITEM) ?? null;
}

function isExpanded(item: HTMLElement): boolean {
  return item.getAttribute('aria-expanded') === 'true';
}
