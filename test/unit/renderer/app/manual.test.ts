import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chapterOf, CHAPTERS, isChapter } from '../../../../renderer/src/app/manual/chapters.ts';
import { manualBlocks, type ManualBlock, type ManualSpan } from '../../../../renderer/src/app/manual/manual-text.ts';
import { en } from '../../../../renderer/src/lib/i18n/catalogues/en.ts';
import { ru } from '../../../../renderer/src/lib/i18n/catalogues/ru.ts';

const root = new URL('../../../../resources/manual/', import.meta.url);
const ALL: readonly string[] = Object.values(CHAPTERS).flat();
const read = (language: string, chapter: string) => readFileSync(new URL(`${language}/${chapter}.md`, root), 'utf8');

test('headings, paragraphs, lists, steps and their words are distinguished', () => {
  expect(manualBlocks('# Title\n\nOne *word*\nand `N`.\n\n- **a** b\n  c\n- d\n\n1. x\n2. y\n')).toEqual([
    { kind: 'heading', level: 1, spans: [{ kind: 'plain', text: 'Title' }] },
    {
      kind: 'paragraph',
      spans: [
        { kind: 'plain', text: 'One ' },
        { kind: 'emphasis', text: 'word' },
        { kind: 'plain', text: ' and ' },
        { kind: 'key', text: 'N' },
        { kind: 'plain', text: '.' },
      ],
    },
    {
      kind: 'list',
      items: [
        [
          { kind: 'strong', text: 'a' },
          { kind: 'plain', text: ' b c' },
        ],
        [{ kind: 'plain', text: 'd' }],
      ],
    },
    { kind: 'steps', items: [[{ kind: 'plain', text: 'x' }], [{ kind: 'plain', text: 'y' }]] },
  ]);
});

test('tables, code with empty lines, pictures and links to chapters are distinguished', () => {
  expect(
    manualBlocks('```\na\n\nb\n```\n\n![The\nboard](board.webp)\n\n| K | W |\n|---|---|\n| `N` | [new](call) |'),
  ).toEqual([
    { kind: 'code', text: 'a\n\nb' },
    { kind: 'picture', file: 'board.webp', caption: 'The board' },
    {
      kind: 'table',
      rows: [
        [[{ kind: 'plain', text: 'K' }], [{ kind: 'plain', text: 'W' }]],
        [[{ kind: 'key', text: 'N' }], [{ kind: 'link', text: 'new', chapter: 'call' }]],
      ],
    },
  ]);
});

test('each chapter is a file in both languages, and each file is a chapter', () => {
  for (const language of ['en', 'ru'])
    expect(
      readdirSync(new URL(language, root))
        .filter((name) => name.endsWith('.md'))
        .sort(),
    ).toEqual(ALL.map((chapter) => `${chapter}.md`).sort());
});

test.each(ALL)('the chapter %s has the same parts in both languages', (chapter) => {
  const parts = (language: string) =>
    manualBlocks(read(language, chapter)).map((block) => {
      if ('items' in block) return `${block.kind} ${block.items.length}`;
      if (block.kind === 'table') return `table ${block.rows.map((row) => row.length).join(' ')}`;
      return block.kind === 'code' ? `code ${block.text.split('\n').length}` : block.kind;
    });
  expect(parts('ru')).toEqual(parts('en'));
});

test('links name chapters, and pictures are there', () => {
  for (const language of ['en', 'ru'])
    for (const chapter of ALL)
      for (const block of manualBlocks(read(language, chapter))) {
        if (block.kind === 'picture')
          expect(existsSync(new URL(`${language}/${block.file}`, root)), `${language}/${block.file}`).toBe(true);
        for (const span of spansOf(block))
          if (span.kind === 'link') expect(isChapter(span.chapter!), `${chapter}: ${span.chapter}`).toBe(true);
      }
});

test('every page of the console has a chapter', () => {
  expect(['/', '/vehicles/12', '/fleet/sensors', '/territory', '/backups'].map(chapterOf)).toEqual([
    'board',
    'vehicles',
    'fleet',
    'territory',
    'backup',
  ]);
});

/** Words that the catalogue fills in are left out. */
const said = (catalogue: typeof en) => JSON.stringify(catalogue);
test.each([
  ['en', en],
  ['ru', ru as typeof en],
] as const)('buttons that the steps of the %s manual name are in the console', (language, catalogue) => {
  const words = said(catalogue);
  const missing: string[] = [];
  for (const chapter of ALL)
    for (const block of manualBlocks(read(language, chapter)))
      if (block.kind === 'steps')
        for (const span of block.items.flat())
          if ((span.kind === 'strong' || span.kind === 'emphasis') && !words.includes(`"${span.text}"`))
            missing.push(`${chapter}: ${span.text}`);
  expect(missing).toEqual([]);
});

function spansOf(block: ManualBlock): readonly ManualSpan[] {
  if ('items' in block) return block.items.flat();
  if (block.kind === 'table') return block.rows.flat(2);
  return 'spans' in block ? block.spans : [];
}
