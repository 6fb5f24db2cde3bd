import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { manualBlocks } from '../../../../renderer/src/app/manual/manual-text.ts';
import { en } from '../../../../renderer/src/lib/i18n/catalogues/en.ts';
import { ru } from '../../../../renderer/src/lib/i18n/catalogues/ru.ts';

const root = new URL('../../../../resources/manual/', import.meta.url);
const pagesOf = (language: string) => readdirSync(new URL(language, root)).sort();
const read = (language: string, page: string) => readFileSync(new URL(`${language}/${page}`, root), 'utf8');

test('headings, paragraphs, lists, steps and their words are told apart', () => {
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

test('the manual has the same pages with the same parts in both languages', () => {
  expect(pagesOf('ru')).toEqual(pagesOf('en'));
  for (const page of pagesOf('en')) {
    const parts = (language: string) =>
      manualBlocks(read(language, page)).map((block) =>
        'items' in block ? `${block.kind} ${block.items.length}` : block.kind,
      );
    expect(parts('ru'), page).toEqual(parts('en'));
  }
});

test('each page of the manual is about a page of the console', () => {
  for (const page of pagesOf('en')) expect(Object.keys(en.pages)).toContain(page.replace('.md', ''));
});

/** Words that the catalogue fills in are left out. */
const said = (catalogue: typeof en) => JSON.stringify(catalogue);
test.each([
  ['en', en],
  ['ru', ru as typeof en],
] as const)('buttons that the %s manual names are in the console', (language, catalogue) => {
  const words = said(catalogue);
  const missing: string[] = [];
  for (const page of pagesOf(language))
    for (const block of manualBlocks(read(language, page)))
      if (block.kind === 'steps')
        for (const span of block.items.flat())
          if ((span.kind === 'strong' || span.kind === 'emphasis') && !words.includes(`"${span.text}"`))
            missing.push(`${page}: ${span.text}`);
  expect(missing).toEqual([]);
});
