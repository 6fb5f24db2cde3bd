import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, compileTemplate } from 'vue/compiler-sfc';
import { expect, test } from 'vitest';
import { en } from '../../../../renderer/src/lib/i18n/catalogues/en.ts';
import { en as crewEn } from '../../../../renderer/src/crew/words/en.ts';
import { en as citizensEn } from '../../../../renderer/src/citizens/words/en.ts';
import { ru as citizensRu } from '../../../../renderer/src/citizens/words/ru.ts';
import { ru as crewRu } from '../../../../renderer/src/crew/words/ru.ts';
import * as format from '../../../../renderer/src/lib/i18n/format.ts';
import { russianForm } from '../../../../renderer/src/lib/i18n/index.ts';
import { ru } from '../../../../renderer/src/lib/i18n/catalogues/ru.ts';

const SOURCES = fileURLToPath(new URL('../../../../renderer/src', import.meta.url));
const all = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(vue|ts)$/.test(file));
const read = (file: string) => readFileSync(join(SOURCES, file), 'utf8');

type Tree = { readonly [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ''): Map<string, string> =>
  new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flatten(value, `${prefix}${key}.`)],
    ),
  );
/** The console, and the pages of crews and citizens with words of their own. */
const PARTS = [
  ['console', all.filter((file) => !/^(crew|citizens)\//.test(file)), flatten(en), flatten(ru)],
  ['page of crews', all.filter((file) => file.startsWith('crew/')), flatten(crewEn), flatten(crewRu)],
  ['page of citizens', all.filter((file) => file.startsWith('citizens/')), flatten(citizensEn), flatten(citizensRu)],
] as const;
const files = all;
const holes = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== 'n'))].sort();

test.each(PARTS)(
  '%s: both languages have the same words with the same places for values',
  (_part, _files, english, russian) => {
    expect([...russian.keys()].sort()).toEqual([...english.keys()].sort());
    expect(
      // In Russian the field of a refusal stands before its sentence: `refusals.test.ts` holds those.
      [...english]
        .filter(([key]) => !key.startsWith('refusal.'))
        .filter(([key, text]) => JSON.stringify(holes(text)) !== JSON.stringify(holes(russian.get(key)!)))
        .map(([key]) => key),
    ).toEqual([]);
  },
);

test.each(PARTS)(
  '%s: counted words have all forms: three in English, four in Russian',
  (_part, _files, english, russian) => {
    for (const [key, text] of english) {
      if (!text.includes(' | ')) continue;
      expect([key, text.split(' | ').length, russian.get(key)!.split(' | ').length]).toEqual([key, 3, 4]);
    }
    expect([0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 111, 121].map(russianForm)).toEqual([
      0, 1, 2, 2, 3, 3, 3, 3, 1, 2, 3, 3, 1,
    ]);
  },
);

test.each(PARTS)(
  '%s: every word that is asked for is there, and none is there that nobody asks for',
  (_part, files, english) => {
    const asked = new Set<string>();
    const prefixes = new Set<string>();
    for (const file of files) {
      const text = read(file);
      for (const [, key] of text.matchAll(/\bt\(\s*'([\w.-]+)'/g)) asked.add(key!);
      for (const [, key] of text.matchAll(/'((?:[a-z]\w*\.)+[\w-]+)'/gi)) if (english.has(key!)) asked.add(key!);
      for (const [, prefix] of text.matchAll(/`((?:[a-z]\w*\.)+)\$\{/gi)) prefixes.add(prefix!);
    }
    expect([...asked].filter((key) => !english.has(key))).toEqual([]);
    expect([...prefixes].filter((prefix) => ![...english.keys()].some((key) => key.startsWith(prefix)))).toEqual([]);
    expect(
      [...english.keys()].filter((key) => !asked.has(key) && ![...prefixes].some((prefix) => key.startsWith(prefix))),
    ).toEqual([]);
  },
);

test('no template says anything that is not in the catalogues', () => {
  const bare: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.vue'))) {
    const { descriptor } = parse(read(file));
    const { ast } = compileTemplate({ source: descriptor.template!.content, filename: file, id: file });
    visit(ast as unknown as Node, file, bare);
  }
  expect(bare).toEqual([]);
});

interface Node {
  readonly type: number;
  readonly content?: string | Node;
  readonly children?: readonly Node[];
  readonly props?: readonly {
    readonly type: number;
    readonly name: string;
    readonly value?: { readonly content: string };
  }[];
  readonly branches?: readonly Node[];
}
/** Texts are nodes of type 2, static attributes of type 6. */
function visit(node: Node, file: string, bare: string[]): void {
  if (node.type === 2 && typeof node.content === 'string' && /\p{L}/u.test(node.content))
    bare.push(`${file}: ${node.content.trim()}`);
  for (const prop of node.props ?? []) {
    if (
      prop.type === 6 &&
      /^(title|label|placeholder|alt|aria-label|text|hint)$/.test(prop.name) &&
      /\p{L}{2}/u.test(prop.value?.content ?? '') &&
      !KEYS.has(prop.value!.content)
    )
      bare.push(`${file}: ${prop.name}="${prop.value!.content}"`);
  }
  for (const child of [
    ...(node.children ?? []),
    ...(node.branches ?? []),
    ...(typeof node.content === 'object' ? [node.content] : []),
  ])
    if (typeof child === 'object') visit(child, file, bare);
}
/** Names of keys are the same everywhere. */
const KEYS = new Set(['Esc', 'Enter', 'Home', 'Ctrl Enter', 'Ctrl ⇧ Enter', 'Alt 0']);

test('no template has an inline style: the content security policy forbids them', () => {
  expect(files.filter((file) => file.endsWith('.vue') && /\sstyle="/.test(read(file)))).toEqual([]);
});

test('quantities read as operators write them, in both languages', () => {
  expect(format.duration(95, 'en')).toBe('2 min');
  expect(format.duration(59, 'ru')).toBe('59 с');
  expect(format.duration(59.6, 'en')).toBe('1 min'); // and not 60 seconds beside it
  expect(format.duration(3 * 3600 + 120, 'en')).toBe('3 hr 2 min');
  expect(format.distance(444, 'en')).toBe('440 m');
  expect(format.distance(1260, 'ru')).toBe('1,3 км');
  expect(format.timer(65_000, 'en')).toBe('1:05');
  expect(format.timer(3_725_000, 'ru')).toBe('1:02:05');
});

test('how long ago something was, by fives of seconds, then minutes, hours and days', () => {
  const ago = (seconds: number, language: string) => format.ago(0, seconds * 1000, language);
  expect(ago(-3, 'en')).toBe('now'); // the other clock is ahead
  expect([ago(4, 'en'), ago(5, 'en'), ago(59, 'en')]).toEqual(['now', '5 seconds ago', '55 seconds ago']);
  expect([ago(60, 'en'), ago(3_599, 'en')]).toEqual(['1 minute ago', '59 minutes ago']);
  expect([ago(3_600, 'en'), ago(47 * 3_600, 'en'), ago(48 * 3_600, 'en')]).toEqual([
    '1 hour ago',
    '47 hours ago',
    '2 days ago',
  ]);
  expect([ago(0, 'ru'), ago(25, 'ru'), ago(121, 'ru')]).toEqual(['сейчас', '25 секунд назад', '2 минуты назад']);
});

test('the clock has 24 hours, seconds and its zone; another day shows its date', () => {
  const at = Date.UTC(2026, 10, 20, 21, 4, 9);
  expect(format.clock(at, 'en', 'Europe/Moscow')).toMatchObject({
    time: '00:04:09',
    date: expect.stringMatching(/^Sat,? 21 Nov$/) as string,
  });
  expect(format.clock(at, 'ru', 'UTC').zone).toBe('UTC');
  expect(format.moment(at, at + 60_000, 'en')).toMatch(/^\d\d:\d\d$/);
  expect(format.moment(at - 86_400_000 * 2, at, 'en')).toMatch(/^18 Nov, /);
  // June of which year?
  for (const days of [200, -200]) expect(format.moment(at + days * 86_400_000, at, 'en')).toMatch(/ (2026|2027), /);
});
