import { onScopeDispose } from 'vue';

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The name of a key here: `n`, `7`, `/`, `?`, `Ctrl+Enter`, `Shift+Enter`, `ArrowDown`. On a layout that is not Latin,
 * letters go by key position, so that `n` works on a Cyrillic keyboard.
 */
export function keyName(press: Press): string {
  const name = plainName(press);
  if (press.ctrlKey || press.metaKey) return `Ctrl+${name}`;
  return name === 'Enter' && press.shiftKey ? 'Shift+Enter' : name;
}

function plainName({ key, code, shiftKey }: Press): string {
  if (/^[\d/?]$/.test(key)) return key;
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return letter.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return key;
}

/** A binding returns this when it does not handle the key now. */
export const NOT_MINE = Symbol('not mine');

const WHILE_TYPING = new Set(['Escape', 'Ctrl+Enter', 'Ctrl+k', 'F1', 'F2']);

/**
 * Listens to keys while the component lives. Typing in a field is ignored, except Escape, Ctrl+Enter, Ctrl+K, F1
 * and F2. A binding that returns `NOT_MINE` leaves the key to others.
 */
export function useKeys(bindings: Readonly<Record<string, (event: KeyboardEvent) => unknown>>): void {
  const listener = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = keyName(event);
    const binding = bindings[name];
    if (!binding || (isTyping(event.target) && !WHILE_TYPING.has(name)) || sheetIsOpen()) return;
    if (binding(event) !== NOT_MINE) event.preventDefault();
  };
  window.addEventListener('keydown', listener);
  onScopeDispose(() => window.removeEventListener('keydown', listener));
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A sheet over the screen has the keys to itself, also after a click on a part of it that takes no focus. */
function sheetIsOpen(): boolean {
  return document.querySelector(':modal') !== null;
}
