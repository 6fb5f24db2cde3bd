/** A part of a line: plain, strong, emphasized, or a key. */
export interface ManualSpan {
  readonly kind: 'plain' | 'strong' | 'emphasis' | 'key';
  readonly text: string;
}
export type ManualBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly spans: readonly ManualSpan[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly ManualSpan[] }
  | { readonly kind: 'list' | 'steps'; readonly items: readonly (readonly ManualSpan[])[] };

const SPAN = /\*\*(?<strong>.+?)\*\*|\*(?<emphasis>.+?)\*|`(?<key>.+?)`/gs;
const ITEM = /^(?:-|\d+\.) /;

/**
 * The pages of the manual use a small part of Markdown: two levels of headings, paragraphs, lists, steps,
 * `**strong**`, `*emphasis*` and keys. What they say becomes text, never HTML.
 */
export function manualBlocks(source: string): ManualBlock[] {
  return source
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const heading = /^(#{1,2}) (.+)$/s.exec(block);
      if (heading) return { kind: 'heading', level: heading[1]!.length as 1 | 2, spans: spansOf(heading[2]!) };
      if (!ITEM.test(block)) return { kind: 'paragraph', spans: spansOf(block) };
      const items = block.split(/\n(?=(?:-|\d+\.) )/).map((item) => spansOf(item.replace(ITEM, '')));
      return { kind: block.startsWith('-') ? 'list' : 'steps', items };
    });
}

function spansOf(source: string): ManualSpan[] {
  const text = source.replace(/\s*\n\s*/g, ' ');
  const spans: ManualSpan[] = [];
  let end = 0;
  for (const found of text.matchAll(SPAN)) {
    if (found.index > end) spans.push({ kind: 'plain', text: text.slice(end, found.index) });
    const [kind, said] = Object.entries(found.groups!).find(([, value]) => value !== undefined)!;
    spans.push({ kind: kind as ManualSpan['kind'], text: said });
    end = found.index + found[0].length;
  }
  if (end < text.length) spans.push({ kind: 'plain', text: text.slice(end) });
  return spans;
}
