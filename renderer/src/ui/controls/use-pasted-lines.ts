import { onScopeDispose } from 'vue';

/** Fields of one line. A browser drops the line breaks of a pasted text, and its words run together. */
const ONE_LINE: readonly string[] = ['text', 'search', 'tel', 'email', 'url'];

/** Puts a space for each line break of a text that is pasted into a field of one line. */
export function usePastedLines(): void {
  function onPaste(event: ClipboardEvent): void {
    const field = event.target;
    if (event.defaultPrevented || !(field instanceof HTMLInputElement) || !ONE_LINE.includes(field.type)) return;
    const lines = (event.clipboardData?.getData('text/plain') ?? '').trim();
    if (!/[\r\n]/.test(lines)) return;
    event.preventDefault();
    // The only way to insert a text that the person can take back by Ctrl Z.
    document.execCommand('insertText', false, lines.replaceAll(/\s*[\r\n]+\s*/g, ' '));
  }
  document.addEventListener('paste', onPaste);
  onScopeDispose(() => document.removeEventListener('paste', onPaste));
}
