import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../support/chance.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
let key: string;
let typeId: number;
/** Of the sender that keeps to the standard. */
let honestKey: string;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  typeId = await at.taskType(admin);
  [key, honestKey] = (await Promise.all(['Neighbour', 'Honest'].map(newKey))) as [string, string];
});
afterAll(() => at.stop());

const newKey = async (name: string): Promise<string> =>
  (await at.ok('POST', '/auth/keys', { as: admin, body: { name, scopes: ['tasks'] } })).token;
const send = (body: unknown, as = key, headers = {}) =>
  at.ask('POST', `/eido?newsTypeId=${typeId}`, { as, body, headers });

const idOf = (nth: number) => `urn:emergency:uid:incidentid:${nth}:bcf.state.example`;
const incident = (nth: number, notes: readonly number[]) => ({
  $id: idOf(nth),
  eidoVersion: '1.0',
  issuingElementIdentification: 'idx.state.example',
  incidentComponent: { incidentTypeInternalText: `Fire ${nth}`, incidentCommonPriorityNumber: 10 },
  notesComponent: notes.map((note) => ({ $id: `n${note}`, notesActionComments: `Note ${note}` })),
  locationComponent: [{ $id: 'l', locationDescriptionText: '42 W Cellular Street' }],
});

test('3,000 random wrong messages, many at a time: no 5xx, and another sender loses nothing that was acknowledged', async () => {
  const chance = new Chance();
  const odd = [
    null,
    -1,
    1e300,
    'x',
    [],
    {},
    [null],
    [[]],
    { $ref: 1 },
    true,
    '\0\ud800',
    '<a>&#99999999;',
    '__proto__',
  ];
  const damaged = (value: unknown): unknown => {
    if (chance.maybe(0.15)) return chance.of(odd);
    if (Array.isArray(value)) return value.map(damaged);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, damaged(member)]));
  };
  const json = { 'content-type': 'application/json' };
  const kinds: (() => [body: unknown, headers?: object])[] = [
    () => [damaged(incident(chance.int(20), [chance.int(5), chance.int(5)]))],
    () => [{ ...incident(chance.int(20), [1]), $id: chance.of(odd) }],
    () => [{ ...incident(7, [1]), $id: 'x'.repeat(290 + chance.int(20)) }],
    () => [JSON.stringify(incident(7, [1])).slice(0, chance.int(400)), json],
    () => ['['.repeat(5_000), json],
    () => [
      JSON.stringify(incident(7, [1])),
      { 'content-type': chance.of(['text/xml', 'application/x-www-form-urlencoded']) },
    ],
  ];
  const wrong = async (): Promise<void> => {
    const [body, headers] = chance.of(kinds)();
    const { status, text } = await send(body, key, headers);
    expect(status, `WAYPOST_SEED=${chance.seed}: ${JSON.stringify(body)?.slice(0, 300)} ${text}`).toBeLessThan(500);
  };
  const acknowledged: number[] = [];
  for (let turn = 0; turn < 60; turn++) {
    const wave = Array.from({ length: 50 }, wrong);
    const answer = await send(incident(1_000 + turn, [1, 2]), honestKey);
    expect([answer.status, answer.json().created], answer.text).toEqual([200, true]);
    acknowledged.push(answer.json().newsId);
    await Promise.all(wave);
  }
  for (const [turn, id] of acknowledged.entries()) {
    const { news_data: task } = await at.ok('GET', `/news/${id}`, { as: admin });
    expect([task.title, task.text]).toEqual([`Fire ${1_000 + turn}`, 'Note 1\n\nNote 2']);
  }
  expect((await at.ask('GET', '/health')).status).toBe(200);
}, 180_000);

test('repeated, reordered and doubled at once, the messages of an incident make one task and each note once', async () => {
  const messages = [[1], [1, 2], [1, 2, 3], [2, 3], [1, 2, 3, 4]].map((notes) => incident(5_000, notes));
  const answers = await Promise.all([4, 0, 2, 1, 3, 4, 0].map((nth) => send(messages[nth])));
  const told = answers.map((answer) => answer.json());
  expect(new Set(told.map(({ newsId }) => newsId)).size).toBe(1);
  expect(told.filter(({ created }) => created)).toHaveLength(1);
  const id = told[0].newsId;
  const { comments } = await at.ok('GET', `/news/${id}/comments`, { as: admin });
  const { text } = (await at.ok('GET', `/news/${id}`, { as: admin })).news_data;
  const notes = [...text.split('\n\n'), ...comments.map(({ comment }: { comment: string }) => comment)];
  expect(notes.sort()).toEqual(['Note 1', 'Note 2', 'Note 3', 'Note 4']);
});
