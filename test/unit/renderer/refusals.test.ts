import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeRefusal } from '../../../renderer/src/features/directories/fields.ts';
import { REFUSALS } from '../../../renderer/src/lib/i18n/refusals-ru.ts';
import { russianRefusal, sentenceOf } from '../../../renderer/src/lib/i18n/refusal-words.ts';
import { refusalOfInvalid } from '../../../server/http/app/errors.ts';
import { geometryFault } from '../../../shared/geo/geojson.ts';
import { ValueRefusal, type ValueFault } from '../../../shared/custom-fields/value-fault.ts';

const sentenceOfZod = (error: z.ZodError) => refusalOfInvalid(error).message;
const root = new URL('../../../', import.meta.url);

/** What only the `waypost` command, the store that opens, other stations and programs are told. */
const NO_CONSOLE =
  /^server\/(commands|demo)\/|^server\/store\/(.*\/)?(backup|restore|database|lock)\.ts|\/stamps\.ts|\/writer-thread\.ts|^server\/http\/.*\/(replica|tiles|multipart|read-body|form-charset)\.ts/;

/**
 * Every sentence that the rooms which a console reaches refuse with; what they fill in is a number, another
 * one for each place. A new one wants its line in `refusals-ru.ts`.
 */
function sentencesOfSources(): string[] {
  const found: string[] = [];
  for (const file of globSync('{server,shared}/**/*.ts', { cwd: root })) {
    if (NO_CONSOLE.test(file)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node) && node.expression.getText() === 'Refusal' && node.arguments?.[1])
        found.push(...textsOf(node.arguments[1]));
      if (
        ts.isCallExpression(node) &&
        node.expression.kind === ts.SyntaxKind.SuperKeyword &&
        refuses(node) &&
        node.arguments[1]
      )
        found.push(...textsOf(node.arguments[1]));
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(new URL(file, root), 'utf8'), ts.ScriptTarget.Latest, true));
  }
  return found.filter((said) => /[a-z]/i.test(said)); // the others only pass on what was said elsewhere
}
/** Is it said in a class of refusals? */
function refuses(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, ts.isClassDeclaration);
  return (
    owner?.heritageClauses?.some((clause) => clause.types.some((type) => type.expression.getText() === 'Refusal')) ??
    false
  );
}

/** Of an expression those texts that it can be; none where it passes on what was said elsewhere. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  return node.templateSpans.reduce(
    (texts, { expression, literal }, index) => {
      const choices = ts.isConditionalExpression(expression) ? textsOf(expression) : [];
      return texts.flatMap((text) =>
        (choices.length > 0 ? choices : [String(7001 + index)]).map((part) => text + part + literal.text),
      );
    },
    [node.head.text],
  );
}

/**
 * What is put together elsewhere: by the schemas, by the rules of custom fields, and by those of geometries.
 */
function sentencesOfRules(): string[] {
  const schema = z.object({
    name: z.string().min(2).max(4),
    count: z.int().min(1).max(9),
    on: z.boolean(),
    list: z.array(z.number()).min(1).max(2),
    kind: z.enum(['a', 'b']),
    more: z.union([z.literal(1), z.literal(2)]),
    text: z.string().regex(/x/),
    one: z.string().min(1),
  });
  const right = { name: 'abc', count: 5, on: true, list: [1], kind: 'a', more: 1, text: 'x', one: 'x' };
  const wrong: object[] = [
    { name: undefined },
    { name: 7 },
    { name: 'a' },
    { name: 'abcde' },
    { count: 0 },
    { count: 10 },
    { count: 1.5 },
    { count: 'x' },
    { on: 1 },
    { list: {} },
    { list: [] },
    { list: [1, 2, 3] },
    { kind: 'c' },
    { more: 3 },
    { text: 'y' },
    { one: '' },
  ];
  const faults: ValueFault[] = [
    ...(['needed', 'whole', 'number', 'flag', 'date', 'text', 'oneLine'] as const).map((rule) => ({ rule })),
    { rule: 'oneOf', values: 'red, green' },
    { rule: 'pattern' },
    { rule: 'example', example: 'aaa' },
    { rule: 'atLeast', count: 3 },
    { rule: 'atMost', count: 9 },
    { rule: 'geometry', fault: 'a ring ends where it begins' },
  ];
  const shapes = [
    7,
    { type: 'LineString', coordinates: 7 },
    { type: 'Polygon', coordinates: [] },
    { type: 'Polygon', coordinates: [[[0, 0]]] },
    { type: 'GeometryCollection' },
    { type: 'X' },
    { type: 'Point', coordinates: [] },
    { type: 'Point', coordinates: [190, 0] },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [2, 0],
          [3, 3],
        ],
      ],
    },
    { type: 'LineString', coordinates: [[0, 0]] },
    { type: 'MultiPoint', coordinates: Array.from({ length: 100_001 }, () => [0, 0]) },
    nested(6),
  ];
  return [
    ...wrong.map((change) => sentenceOfZod(schema.safeParse({ ...right, ...change }).error!)),
    sentenceOfZod(schema.safeParse(7).error!),
    ...faults.map((fault) => new ValueRefusal('Number of floors', fault).message),
    ...shapes.map((shape) => geometryFault(shape)!),
  ];
}
const nested = (depth: number): object => ({
  type: 'GeometryCollection',
  geometries: depth === 0 ? [] : [nested(depth - 1)],
});
/** Put together from parts where the scan does not see it, each by the place that says it. */
const OTHERS = [
  // shared/custom-fields/custom-fields.ts, server/fleet/vehicle-fields.ts
  'possible_values are needed for the format list.',
  'possible_values cannot be empty texts.',
  'possible_values name "red" twice.',
  'possibleValues are needed for the format list.',
  'possibleValues cannot be empty texts.',
  'possibleValues name "red" twice.',
  // shared/custom-fields/custom-fields.ts
  'min_length (5) is more than max_length (3).',
  'minLength (5) is more than maxLength (3).',
  'default_value must be a number.',
  // server/sync
  'The code is wrong or has expired. A code holds for five minutes and three tries.',
  'The certificate that was seen there is not the one of the station: another machine stands between the two.',
  'The certificate at https://b:1 is not the one of the pairing: another machine answers there, or the station has a new certificate. If it has, cut the link and pair again.',
  'The station at https://b:1 does not have the key of the pairing.',
  'There is no free station number.',
  'it does not answer.',
  'no program answers on this port.',
  'there is no machine of this name.',
  'there is no way to this machine.',
  'it closed the connection.',
  'it does not speak TLS on this port.',
  'its answer is too long.',
  'Cut by the other station.',
  'Paused by the other station.',
  'The connection broke off.',
  'It closed the connection.',
  'The station stops.',
  'Nothing came for 25 s.',
  'It did not answer after a sleep of this machine or a change of its network.',
  'Something went wrong in the other station.',
  'The two stations have versions of Waypost that cannot be linked. Update the older one.',
  'The clocks differ too much.',
  'The connection was refused: the signature is not valid.',
  'The other station has no link with this one: it was cut there, or the station was made anew. Pair again.',
  'The other station does not accept the key of this one. Cut the link and pair again.',
  'B has Waypost 2.0.0, and A has Waypost 1.0.0, which does not know its records. Update A. Nothing is lost meanwhile.',
  'The clocks differ by 7 min: it is 2026-01-01 00:00:00 UTC at A and 2026-01-01 00:07:00 UTC at B. The link goes on when both are right.',
  'A and B have the same station number, 3.',
  // server/http
  'There is no room left on the disk of the station.',
  'name is wrong.',
  'The body is too large.',
  'The request is malformed.',
  'The address is not correctly percent-encoded.',
  'The body broke off.',
  'The form is not correctly percent-encoded.',
  'There is nothing at /x.',
  'Something went wrong in the station; its log has it as abc123.',
];

test('whatever the station refuses, a Russian console says in Russian', () => {
  const sentences = sentencesOfSources();
  expect(sentences.length).toBeGreaterThan(200);
  const silent = [...sentences, ...sentencesOfRules(), ...OTHERS].filter(
    (said) => !/[а-я]/i.test(russianRefusal(said)?.text ?? ''),
  );
  expect(silent).toEqual([]);
});

test('the reason in a sentence about another station is in Russian, too', () => {
  expect(russianRefusal('https://b:1 cannot be reached: it does not answer.')?.text).toBe(
    'Нет связи с https://b:1: нет ответа.',
  );
});

test('no translation is left of what the station does not say any more', () => {
  const used = new Set(
    [...sentencesOfSources(), ...sentencesOfRules(), ...OTHERS, ...schemaRules()].map(
      (said) => russianRefusal(said)?.english,
    ),
  );
  expect(Object.keys(REFUSALS).filter((english) => !used.has(english))).toEqual([]);
});
/** The rules that schemas say in their own words: `'must be …'` in the sources of the interface. */
function schemaRules(): string[] {
  const said = globSync('{server/http,shared}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/['`]((?:must|is|are) [^'`]+)['`]/g)].map(
      (found) => found[1]!,
    ),
  );
  return said.map((rule) => `field ${rule.replace(/\$\{[^}]*\}/g, '7001')}.`);
}

test('a translation fills in only what it was given, and all of what it means', () => {
  const partsOf = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!));
  const unknown = Object.entries(REFUSALS).filter(([english, russian]) =>
    [...partsOf(russian)].some((part) => !partsOf(english).has(part)),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ['There is no vehicle 12.', 'Машины 12 нет, или она вам не видна.'],
  ['You may not edit “A fire. There is no water”.', 'Вам нельзя править «A fire. There is no water».'],
  ['carId 12 does not exist.', 'carId: записи 12 нет.'],
  ['/data/my file.osm.pbf does not exist.', 'Такого нет: /data/my file.osm.pbf.'],
  ['speedLimit must be from 0 to 300 km/h.', 'Предел скорости: от 0 до 300 км/ч.'],
  ['Number of floors must be a whole number.', 'Number of floors: должно быть целым числом.'],
  [
    'Only an administrator of the organisation may change this geozone.',
    'Менять это может только администратор организации: геозона.',
  ],
  ['geometry is wrong: a ring ends where it begins.', 'Фигура: неверно: контур должен замыкаться.'],
])('%s', (said, russian) => {
  expect(sentenceOf(russianRefusal(said)!)).toBe(russian);
});

test('a form has the rule alone beneath its field; what is not known is left as it was said', () => {
  const fields = [{ key: 'name' as const, kind: 'text' as const, label: '' }];
  const inRussian = (said: string) => russianRefusal(said) ?? { text: said };
  expect(placeRefusal('name must have at most 100 characters.', fields, inRussian)).toEqual({
    key: 'name',
    text: 'Не длиннее 100 знаков.',
  });
  expect(placeRefusal('The type Fire is in use by messages.', fields, inRussian)).toEqual({
    text: 'Тип «Fire» занят задачами.',
  });
  expect(russianRefusal('A sentence of a newer station')).toBeUndefined();
});
