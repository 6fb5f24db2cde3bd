/** A part of a line: plain, strong, emphasized, a key, or a link to another chapter. */
export interface ManualSpan {
  readonly kind: 'plain' | 'strong' | 'emphasis' | 'key' | 'link';
  readonly text: string;
  /** The chapter that a link names. */
  readonly chapter?: string;
}
export type ManualBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2; readonly spans: readonly ManualSpan[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly ManualSpan[] }
  | { readonly kind: 'list' | 'steps'; readonly items: readonly (readonly ManualSpan[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly ManualSpan[])[])[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'picture'; readonly file: string; readonly caption: string };

const SPAN = /\*\*(?<strong>.+?)\*\*|\*(?<emphasis>.+?)\*|`(?<key>.+?)`|\[(?<link>[^\]]+)\]\((?<chapter>[a-z-]+)\)/gs;
const ITEM = /^(?:-|\d+\.) /;
const PICTURE = /^!\[(?<caption>[^\]]+)\]\((?<file>[\w-]+\.webp)\)$/s;

/**
 * The pages of the manual use a small part of Markdown: two levels of headings, paragraphs, lists, steps, tables,
 * fenced code, pictures, `**strong**`, `*emphasis*`, keys and links to chapters. What they say becomes text, never
 * HTML.
 */
export function manualBlocks(source: string): ManualBlock[] {
  return split(source.trim()).map((block) => {
    const code = /^```\n(?<text>.*?)\n?```$/s.exec(block)?.groups;
    if (code) return { kind: 'code', text: code['text']! };
    const picture = PICTURE.exec(block)?.groups;
    if (picture) return { kind: 'picture', file: picture['file']!, caption: picture['caption']!.replace(/\s+/g, ' ') };
    const heading = /^(#{1,2}) (.+)$/s.exec(block);
    if (heading) return { kind: 'heading', level: heading[1]!.length as 1 | 2, spans: spansOf(heading[2]!) };
    if (block.startsWith('|')) return { kind: 'table', rows: rowsOf(block) };
    if (!ITEM.test(block)) return { kind: 'paragraph', spans: spansOf(block) };
    const items = block.split(/\n(?=(?:-|\d+\.) )/).map((item) => spansOf(item.replace(ITEM, '')));
    return { kind: block.startsWith('-') ? 'list' : 'steps', items };
  });
}

/** Blocks are separated by empty lines, but not within fenced code. */
function split(source: string): string[] {
  const blocks: string[] = [];
  for (const part of source.split(/\n{2,}/)) {
    const last = blocks.at(-1);
    if (last?.startsWith('```') && !/\n```$/.test(last)) blocks[blocks.length - 1] = `${last}\n\n${part}`;
    else blocks.push(part);
  }
  return blocks;
}

/** The rows of a table; the line beneath the first one is left out. */
function rowsOf(block: string): ManualSpan[][][] {
  return block
    .split('\n')
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => spansOf(cell.trim())),
    );
}

function spansOf(source: string): ManualSpan[] {
  const text = source.replace(/\s*\n\s*/g, ' ');
  const spans: ManualSpan[] = [];
  let end = 0;
  for (const found of text.matchAll(SPAN)) {
    if (found.index > end) spans.push({ kind: 'plain', text: text.slice(end, found.index) });
    const { chapter, ...others } = found.groups!;
    const [kind, said] = Object.entries(others).find(([, value]) => value !== undefined)!;
    spans.push({ kind: kind as ManualSpan['kind'], text: said!, ...(chapter === undefined ? {} : { chapter }) });
    end = found.index + found[0].length;
  }
  if (end < text.length) spans.push({ kind: 'plain', text: text.slice(end) });
  return spans;
}
