import { onScopeDispose } from 'vue';

/**
 * Where the focus may rest when what had it is gone: a dialog, a part of the screen that says so
 * (`data-rest`), else the page.
 */
const PLACES = 'dialog[open], [data-rest], main';

/**
 * Keeps the focus on the screen while the component lives. A browser drops it when the focused button is
 * removed or disabled; a keyboard user would then start at the top of the page. Here it goes to the nearest
 * remaining container, and back to a button that is enabled again. A row that moves within its list keeps it.
 */
export function useKeptFocus(): void {
  /** The focused element and its ancestors, from the inside out. */
  let chain: readonly HTMLElement[] = [];
  let switchedOff: { readonly element: HTMLElement; readonly place: HTMLElement } | undefined;

  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) chain = around(target);
  };
  const observer = new MutationObserver((changes) => {
    if (switchedOff && document.activeElement !== switchedOff.place) switchedOff = undefined;
    if (switchedOff && !switchedOff.element.matches(':disabled')) {
      const { element } = switchedOff;
      switchedOff = undefined;
      if (element.isConnected) element.focus({ preventScroll: true });
      return;
    }
    const [last] = chain;
    if (!last || (document.activeElement !== document.body && document.activeElement !== last)) return;
    if (last.isConnected && !last.matches(':disabled')) {
      // A browser moves an element by removing it, which takes the focus away.
      if (document.activeElement !== last && wasRemoved(last, changes)) last.focus({ preventScroll: true });
      return;
    }
    const place = rest(chain);
    if (last.isConnected && place) switchedOff = { element: last, place };
  });
  document.addEventListener('focusin', onFocus);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  onScopeDispose(() => {
    document.removeEventListener('focusin', onFocus);
    observer.disconnect();
  });
}

/** Elements where Tab stops, in the order of the page. */
const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]';

/** Moves the focus on from `element`, as Tab does. */
export function focusNextTo(element: HTMLElement): void {
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => stop === element || (stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility()),
  );
  stops[stops.indexOf(element) + 1]?.focus();
}

/** Returns the focus to the element that had it before, or to its surroundings. */
export function restoreFocus(to: Element | null): void {
  if (to instanceof HTMLElement && to !== document.body && to.isConnected && to.checkVisibility())
    to.focus({ preventScroll: true });
  else rest([document.body]);
}

/** Focuses the first remaining element of `chain` that can take the focus. */
function rest(chain: readonly HTMLElement[]): HTMLElement | undefined {
  for (let at = chain.find((element) => element.isConnected) ?? null; at; at = at.parentElement) {
    const found = at.matches(PLACES) ? at : shownIn(at, PLACES);
    if (!found) continue;
    const place = found.matches('main') ? (shownIn(found, '[data-rest]') ?? found) : found;
    if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    return place;
  }
  return undefined;
}

/** The first visible match: a hidden element takes no focus. */
function shownIn(around: HTMLElement, selector: string): HTMLElement | undefined {
  return [...around.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
}

function wasRemoved(element: HTMLElement, changes: readonly MutationRecord[]): boolean {
  return changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(element)));
}

function around(element: HTMLElement): HTMLElement[] {
  const chain: HTMLElement[] = [];
  for (let at: HTMLElement | null = element; at; at = at.parentElement) chain.push(at);
  return chain;
}
