import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { beforeEach, expect, test } from 'vitest';
import { placeRefusal } from '../../../../renderer/src/features/directories/fields.ts';
import { i18n, showLanguage } from '../../../../renderer/src/lib/i18n/index.ts';
import { refusalOf } from '../../../../renderer/src/lib/i18n/problem-words.ts';
import { TERMS } from '../../../../renderer/src/lib/i18n/refusal-terms.ts';
import { ru } from '../../../../renderer/src/lib/i18n/refusal-texts.ts';
import { refusalWords } from '../../../../renderer/src/lib/i18n/refusal-words.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { REFUSALS } from '../../../../shared/refusals/catalogue.ts';
import { reason, sentenceOf, type Reason, type RefusalCode } from '../../../../shared/refusals/reason.ts';

const root = new URL('../../../../', import.meta.url);
const textsOf = (rooms: object): Map<string, string> =>
  new Map(
    Object.entries(rooms as Record<string, Record<string, string | { text: string }>>).flatMap(([room, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${room}.${name}`, typeof text === 'string' ? text : text.text]),
    ),
  );
const ENGLISH = textsOf(REFUSALS);
const RUSSIAN = textsOf(ru);
const placeholders = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));

beforeEach(async () => {
  await showLanguage('en');
  await showLanguage('ru');
});

test('every code has a Russian text with the same placeholders; the field stands before it or over it', () => {
  expect(ENGLISH.size).toBeGreaterThan(350);
  const wrong = [...ENGLISH].filter(([code, english]) => {
    const needed = placeholders(english);
    needed.delete('field');
    const russian = RUSSIAN.get(code) ?? '';
    return (
      (!/[а-я]/i.test(russian) && /[a-z]/i.test(english.replace(/\{\w+\}/g, ''))) ||
      [...placeholders(russian)].sort().join() !== [...needed].sort().join()
    );
  });
  expect(wrong).toEqual([]);
  expect([...RUSSIAN.keys()].filter((code) => !ENGLISH.has(code))).toEqual([]);
});

test('both languages fill in every parameter of every code', () => {
  for (const [code, text] of ENGLISH) {
    const params = Object.fromEntries([...placeholders(text)].map((name) => [name, `<${name}>`]));
    const made: Reason = { code: code as RefusalCode, params };
    for (const language of ['en', 'ru'] as const) {
      i18n.global.locale.value = language;
      const { sentence } = refusalWords(made)!;
      if (language === 'en') expect(sentence).toBe(sentenceOf(made));
      for (const value of Object.values(params)) expect(sentence, code).toContain(value);
      expect(sentence, code).not.toMatch(/[{}]/);
    }
  }
});

/** Sources that may refuse, without the catalogue. */
const SOURCES = globSync('{server,shared}/**/*.ts', { cwd: root })
  .filter((path) => !path.startsWith('shared/refusals/') || path.endsWith('field-rules.ts'))
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));

test('every code of the catalogue is used', () => {
  const used = new Set(SOURCES.flatMap(({ text }) => [...text.matchAll(/'(\w+\.\w+)'/g)].map(([, code]) => code!)));
  expect([...ENGLISH.keys()].filter((code) => !used.has(code))).toEqual([]);
});

test('no refusal and no schema has a free sentence: each names a code', () => {
  const free: string[] = [];
  for (const { path, text } of SOURCES) {
    if (!/Refusal|\.refine\(|addIssue/.test(text)) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal') {
        const [code] = node.arguments ?? [];
        const codes = code && ts.isConditionalExpression(code) ? [code.whenTrue, code.whenFalse] : [code];
        if (
          codes.some(
            (one) => one && (ts.isStringLiteralLike(one) ? !ENGLISH.has(one.text) : ts.isTemplateExpression(one)),
          )
        )
          free.push(`${path}: ${node.getText()}`);
      }
      if (path.startsWith('server/http/') && ts.isStringLiteralLike(node) && /^(must|is not) /.test(node.text))
        free.push(`${path}: ${node.text}`);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  expect(free).toEqual([]);
});

test('what a value has to be has a Russian word', () => {
  const expected = SOURCES.flatMap(({ text }) => [...text.matchAll(/expected: '([^']+)'/g)].map(([, word]) => word!));
  expect(expected.length).toBeGreaterThan(15);
  const known = TERMS['expected']!;
  expect([...new Set(expected)].filter((word) => !Object.hasOwn(known, word) && !word.startsWith('{'))).toEqual([]);
});

const WORDED: [refusal: Reason, russian: string][] = [
  [reason('fleet.missing', { id: 12 }), 'Машины 12 нет, или она вам не видна.'],
  [
    reason('tasks.mayNot', { action: 'edit', title: 'A fire. There is no water' }),
    'Вам нельзя править «A fire. There is no water».',
  ],
  [reason('field.unknown', { field: 'carId', id: 12 }), 'carId: записи 12 нет.'],
  [reason('territory.noFile', { file: '/data/my file.osm.pbf' }), 'Такого нет: /data/my file.osm.pbf.'],
  [reason('field.rangeKmh', { field: 'speedLimit', least: 0, most: 300 }), 'Ограничение скорости: от 0 до 300 км/ч.'],
  [
    reason('field.type', { field: 'Number of floors', expected: 'a whole number' }),
    'Number of floors: должно быть целым числом.',
  ],
  [
    reason('record.ownAdministratorOnly', { what: 'geozone' }),
    'Менять это может только администратор организации: геозона.',
  ],
  [
    reason('field.wrongBecause', { field: 'geometry', fault: reason('geometry.ringOpen') }),
    'Фигура: неверно: контур должен замыкаться.',
  ],
  [reason('field.notLater', { field: 'till', other: 'from' }), 'Конец: должно быть позже, чем «Начало».'],
  [
    reason('sync.unreachable', { address: 'https://b:1', fault: reason('sync.noAnswer') }),
    'Нет связи с https://b:1: нет ответа.',
  ],
];
test.each(WORDED)('%j', (refusal, russian) => {
  expect(refusalWords(refusal)!.sentence).toBe(russian);
});

test('a refusal of a newer station, whose code is not known here, keeps its English words', () => {
  const message = 'A sentence of a newer station.';
  expect(refusalOf({ message, reason: undefined }).sentence).toBe(`Станция отказала: ${message}`);
  i18n.global.locale.value = 'en';
  expect(refusalOf({ message, reason: undefined }).sentence).toBe(message);
});

test('a form has the rule alone beneath the field that the parameters name', () => {
  const fields = [
    { key: 'name' as const, kind: 'text' as const, label: '' },
    { key: 'minLength' as const, kind: 'number' as const, label: '', wire: ['min_length'] },
  ];
  const placed = (refusal: Reason) => placeRefusal(refusalWords(refusal)!, fields);
  const tooLong = reason('field.tooLong', { field: 'name', most: 100 });
  const inUse = reason('tasks.typeInUse', { name: 'Fire' });
  const more = reason('field.moreThan', { field: 'min_length', least: 5, other: 'max_length', most: 3 });
  expect(placed(tooLong)).toEqual({ key: 'name', text: 'Не длиннее 100 знаков.' });
  expect(placed(inUse)).toEqual({ text: 'Вид работ «Fire» занят задачами.' });
  i18n.global.locale.value = 'en';
  expect(placed(tooLong)).toEqual({ key: 'name', text: 'Must have at most 100 characters.' });
  expect(placed(inUse)).toEqual({ text: 'The type Fire is in use by tasks.' });
  expect(placed(more)).toEqual({ key: 'minLength', text: '(5) is more than max_length (3).' });
  expect(placed(reason('field.type', { field: 'name.0', expected: 'a text' })).key).toBe('name');
  expect(placed(reason('field.empty', { field: 'names' }))).toEqual({ text: 'names must not be empty.' });
});

test('a refusal keeps code and parameters only of a reason that it holds', () => {
  const inner = new Refusal('sync.noAnswer');
  const outer = new Refusal('sync.unreachable', { address: 'https://b:1', fault: inner });
  expect(outer.message).toBe('https://b:1 cannot be reached: it does not answer.');
  expect(JSON.parse(JSON.stringify(outer.params))).toEqual({
    address: 'https://b:1',
    fault: { code: 'sync.noAnswer', params: {} },
  });
});
