import { onScopeDispose } from 'vue';
import { useCarry, type CarryThing } from './carry-store.ts';

/** Pixels that a pressed pointer goes before it carries: less is a click. */
const THRESHOLD = 6;

/** Lets the pointer carry what it presses: `@pointerdown="carryFrom($event, thing)"`. */
export function useCarrySource() {
  const carry = useCarry();
  let stop: (() => void) | undefined;

  function carryFrom(press: PointerEvent, thing: CarryThing): void {
    if (press.button !== 0 || press.pointerType === 'touch') return;
    stop?.();
    const controller = new AbortController();
    const { signal } = controller;
    stop = () => controller.abort();
    let carries = false;
    const end = () => {
      controller.abort();
      if (carries) carry.leave();
    };
    window.addEventListener(
      'pointermove',
      ({ clientX: x, clientY: y }) => {
        if (!carries && Math.hypot(x - press.clientX, y - press.clientY) < THRESHOLD) return;
        if (!carries) carry.take(thing, { x, y });
        carries = true;
        carry.move(x, y);
      },
      { signal },
    );
    window.addEventListener(
      'pointerup',
      () => {
        controller.abort();
        if (!carries) return;
        swallowClick();
        void carry.drop();
      },
      { signal },
    );
    window.addEventListener('pointercancel', end, { signal });
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || !carries) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        end();
      },
      { signal, capture: true },
    );
    window.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
    window.addEventListener('selectstart', (event) => event.preventDefault(), { signal });
  }

  onScopeDispose(() => stop?.());
  return { carryFrom };
}

/** The release of a carried thing over the element where it was pressed would also be a click. */
function swallowClick(): void {
  const swallow = (event: Event) => (event.stopPropagation(), event.preventDefault());
  window.addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }));
}
