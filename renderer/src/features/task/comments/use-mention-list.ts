import { computed, nextTick, ref, type Ref } from 'vue';
import { useMentions, type MentionedPerson } from './use-mentions.ts';

/** The text before the caret when a name is begun. */
const BEGUN = /(?:^|[^\p{L}\p{N}._%+-])@(?<typed>[^\s@]{0,40})$/u;

/** Keys that move the caret and type nothing. */
const CARET_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];

/**
 * The names that may follow an `@` in a text field. Arrow keys move, Enter and Tab take the marked one, Escape closes
 * the list and keeps the text.
 */
export function useMentionList(field: Ref<HTMLTextAreaElement | undefined>, text: Ref<string>) {
  const { choicesFor } = useMentions();
  /** The typed part of the name; undefined: none is begun, or the list was left. */
  const typed = ref<string>();
  const marked = ref(0);
  const choices = computed(() => (typed.value === undefined ? [] : choicesFor(typed.value)));

  function follow(): void {
    const before = text.value.slice(0, field.value?.selectionStart ?? 0);
    const begun = BEGUN.exec(before)?.groups?.['typed'];
    if (begun !== typed.value) marked.value = 0;
    typed.value = begun;
  }

  async function take({ login }: MentionedPerson): Promise<void> {
    const input = field.value;
    if (!input || typed.value === undefined) return;
    const caret = input.selectionStart;
    const start = caret - typed.value.length;
    text.value = `${text.value.slice(0, start)}${login} ${text.value.slice(caret)}`;
    typed.value = undefined;
    await nextTick();
    input.focus();
    input.setSelectionRange(start + login.length + 1, start + login.length + 1);
  }

  /** After a key has moved the caret: an open list follows it. A closed one stays closed, and traps no arrow. */
  function onKeyUp({ key }: KeyboardEvent): void {
    if (typed.value !== undefined && CARET_KEYS.includes(key)) follow();
  }

  function leave(): void {
    typed.value = undefined;
  }

  function onKey(event: KeyboardEvent): void {
    const count = choices.value.length;
    if (count === 0 || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      marked.value = (marked.value + (event.key === 'ArrowDown' ? 1 : count - 1)) % count;
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) void take(choices.value[marked.value]!);
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  return { choices, marked, follow, take, leave, onKey, onKeyUp };
}
