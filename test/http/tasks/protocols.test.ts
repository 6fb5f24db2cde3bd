import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOfPaper } from '../../support/text-of-paper.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** Call protocols, and the answers that a task keeps. */
let station: TryStation;
let admin: string;
let dispatcher: { id: number; token: string };

beforeAll(async () => {
  station = await tryStation();
  admin = await station.signIn();
  const roles: { name: string; wheel: boolean; admin: boolean }[] = await station.ok('GET', '/rights', { as: admin });
  dispatcher = await station.newUser('dispatcher', roles.find((role) => !role.wheel && !role.admin)!.name);
});
afterAll(() => station.stop());

const question = (id: number, ...next: (number | null)[]) => ({
  id,
  text: `Question ${id}?`,
  answers: next.map((nextId, index) => ({ text: `Answer ${index + 1}`, nextId, priority: index + 1 })),
});
const refused = async (body: object) => {
  const answer = await station.ask('POST', '/call-protocols', { as: admin, body });
  return [answer.status, answer.headers.get('waypost-refusal')];
};

test('a protocol is written by superusers and read by everybody', async () => {
  const body = { name: 'Fire', typeIds: [1], questions: [question(1, 2, null), question(2, null)] };
  const made = await station.ok('POST', '/call-protocols', { as: admin, body });
  expect(made.questions[0].answers[0]).toEqual({
    text: 'Answer 1',
    nextId: 2,
    priority: 1,
    typeId: null,
    advice: '',
    needs: [],
  });
  expect((await station.ask('POST', '/call-protocols', { as: dispatcher.token, body })).status).toBe(403);
  expect(await station.ok('GET', `/call-protocols/${made.id}`, { as: dispatcher.token })).toEqual(made);
  const renamed = await station.ok('PUT', `/call-protocols/${made.id}`, { as: admin, body: { name: 'Dwelling fire' } });
  expect(renamed).toEqual({ ...made, name: 'Dwelling fire' });
  expect((await station.ask('DELETE', `/call-protocols/${made.id}`, { as: admin })).status).toBe(200);
  expect(await station.ok('GET', '/call-protocols', { as: admin })).toEqual([]);
});

test('a protocol that would not end, or leads nowhere, is refused in words', async () => {
  const circle = [question(1, 2), question(2, 1)];
  expect(await refused({ name: 'Circle', questions: circle })).toEqual([400, 'calls.circle']);
  expect(await refused({ name: 'Gone', questions: [question(1, 7)] })).toEqual([400, 'field.unknown']);
  expect(await refused({ name: 'Twice', questions: [question(1, null), question(1, null)] })).toEqual([
    400,
    'field.unknown',
  ]);
  expect(await refused({ name: 'Nothing', questions: [] })).toEqual([400, 'field.missing']);
  expect(await refused({ name: 'Silent', questions: [question(1)] })).toEqual([400, 'field.missing']);
  expect(await refused({ name: 'Type', typeIds: [9_999], questions: [question(1, null)] })).toEqual([
    400,
    'field.unknown',
  ]);
  const ten = question(1, ...Array.from({ length: 10 }, () => null));
  expect((await refused({ name: 'Ten', questions: [ten] }))[0]).toBe(400);
});

test('a question that nothing leads to may be saved: the editor tells of it', async () => {
  const alone = { name: 'Alone', questions: [question(1, null), question(2, null)] };
  const { id } = await station.ok('POST', '/call-protocols', { as: admin, body: alone });
  expect((await station.ask('DELETE', `/call-protocols/${id}`, { as: admin })).status).toBe(200);
});

test('a task keeps the answers, and its history tells a change of them', async () => {
  const answers = [{ question: 'Is anybody inside?', answer: 'Yes', priority: 1 }];
  const values = { title: 'Smoke from a flat', news_type_id: 1, priority: 1, answers };
  const { newsId } = await station.ok('POST', '/news/', { as: admin, body: { action: 'put', values } });
  const { news_data: news } = await station.ok('GET', `/news/${newsId}`, { as: admin });
  expect(news.answers).toEqual(answers);
  const sheet = await fetch(`${station.station.address}/news/${newsId}/pdf`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(await textOfPaper(await sheet.arrayBuffer())).toMatch(/Is anybody inside\? .*Yes/);
  const body = { answers: [{ ...answers[0], answer: 'No', priority: 3 }] };
  await station.ok('POST', `/news/${newsId}/update`, { as: admin, body });
  const { history }: { history: { field: string }[] } = await station.ok('GET', `/news/${newsId}/history`, {
    as: admin,
  });
  expect(history.map(({ field }) => field)).toContain('answers');
  const long = { ...values, answers: [{ question: 'x'.repeat(201), answer: '' }] };
  expect((await station.ask('POST', '/news/', { as: admin, body: { action: 'put', values: long } })).status).toBe(400);
});
