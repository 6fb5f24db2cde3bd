import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
let key: string;
let typeId: number;

beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  typeId = await at.taskType(admin);
  key = (await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'Neighbour', scopes: ['tasks'] } })).token;
});
afterAll(() => at.stop());

const ID = 'urn:emergency:uid:incidentid:77:bcf.state.example';
const note = ($id: string, words: string) => ({ $id, notesActionComments: words });
const message = (...notes: object[]) => ({
  $id: ID,
  eidoVersion: '1.0',
  issuingElementIdentification: 'idx.state.example',
  incidentComponent: { incidentTypeInternalText: 'Structure fire', incidentCommonPriorityNumber: 10 },
  notesComponent: notes,
  locationComponent: [{ $id: 'l', locationDescriptionText: '42 W Cellular Street' }],
});
const send = (body: unknown, query = `newsTypeId=${typeId}`) => at.ask('POST', `/eido?${query}`, { as: key, body });
const task = (id: number) => at.ok('GET', `/news/${id}`, { as: admin });
const comments = async (id: number): Promise<string[]> =>
  (await at.ok('GET', `/news/${id}/comments`, { as: admin })).comments.map(
    ({ comment }: { comment: string }) => comment,
  );

describe('an incident of another system', () => {
  test('becomes one task, and its new notes become comments, however often it is sent', async () => {
    const first = await Promise.all([1, 2, 3].map(() => send(message(note('n1', 'Smoke'), note('n2', 'Two floors')))));
    const answers = first.map((answer) => answer.json());
    expect(new Set(answers.map(({ newsId }) => newsId)).size).toBe(1);
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    const { newsId } = answers[0];
    const detail = JSON.stringify(await task(newsId));
    for (const words of ['Structure fire', 'Smoke\\n\\nTwo floors', '42 W Cellular Street', 'idx.state.example'])
      expect(detail).toContain(words);
    expect(await comments(newsId)).toEqual([]);
    const more = message(note('n1', 'Smoke'), note('n3', '<b>@admin</b> come out'));
    expect((await send(more)).json()).toEqual({ newsId, created: false, comments: 1 });
    expect((await send(more)).json()).toEqual({ newsId, created: false, comments: 0 });
    expect(await comments(newsId)).toEqual(['@\u200Badmin come out']);
  });

  test('takes a key of the scope `tasks`, a type that exists, and an id', async () => {
    const reader = (await at.ok('POST', '/auth/keys', { as: admin, body: { name: 'Reader', scopes: ['read'] } })).token;
    const statuses = await Promise.all([
      at.ask('POST', `/eido?newsTypeId=${typeId}`, { as: reader, body: message() }),
      at.ask('POST', `/eido?newsTypeId=${typeId}`, { body: message() }),
      send({ ...message(), $id: 'urn:other' }, 'newsTypeId=999999'),
      send({ ...message(), $id: 'urn:other' }, `newsTypeId=${typeId}&orgId=999999`),
      send({ ...message(), $id: 'urn:other' }, ''),
      send({ notesComponent: [] }),
      send('x'),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([403, 401, 400, 400, 400, 400, 400]);
    // A refused message leaves nothing: the same incident may come again.
    expect((await send({ ...message(), $id: 'urn:other' })).json()).toMatchObject({ created: true });
  });
});

/** Members that the standard requires of each component, besides those of all. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  incidentComponent: ['incidentTypeCommonRegistryText'],
  mergeComponent: ['incidentMergeDirectionCode', 'incidentTrackingIdentifier'],
  linkComponent: ['linkDirectionCode', 'incidentTrackingIdentifier'],
  notesComponent: ['notesActionComments'],
  locationComponent: ['locationTypeDescriptionRegistryText'],
  dispatchComponent: [],
  emergencyResourceComponent: [
    ...['agentReference', 'emergencyResourceTypeCommonRegistryText', 'primaryUnitStatusRegistryText'],
    ...['resourceAttributeRegistryText', 'secondaryUnitStatusRegistryText'],
  ],
  agencyComponent: ['agencyRoleDescriptionRegistryText', 'agencyType'],
  agentComponent: ['agentRoleRegistryText', 'agencyReference'],
};
const OF_ALL = ['$id', 'lastUpdateTimeStamp', 'updatedByAgencyReference'];

type Component = Readonly<Record<string, unknown>>;
/** The components of a message, each with what it is called. */
function componentsOf(eido: Component): [string, Component][] {
  return Object.entries(eido).flatMap(([name, value]): [string, Component][] =>
    name.endsWith('Component') ? [value].flat().map((component) => [name, component as Component]) : [],
  );
}
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('$ref' in value) return [String(value.$ref)];
  return Object.values(value).flatMap(referencesIn);
}

describe('a task for another system', () => {
  let id: number;
  let eido: Component;

  beforeAll(async () => {
    const values = {
      title: 'Kitchen fire',
      text: 'Flames <high>',
      news_type_id: typeId,
      address: 'Mill Lane 3',
      priority: 1,
    };
    const made = await at.ok('POST', '/news/', { as: admin, body: { values, point: [9.52, 47.14], pointZoom: 15 } });
    id = made.newsId;
    const other = (
      await at.ok('POST', '/news/', { as: admin, body: { values: { title: 'Flood', news_type_id: typeId } } })
    ).newsId;
    await at.ok('POST', `/news/${id}/links`, { as: admin, body: { newsId: other } });
    const { id: carId } = await at.ok('POST', '/cars', { as: admin, body: { name: 'Engine 1', glonassId: 5 } });
    await at.ok('POST', `/news/${id}/units`, { as: admin, body: { carIds: [carId] } });
    await at.ok('POST', `/news/${id}/comments`, { as: admin, body: { action: 'post', comment: 'Gas is off' } });
    eido = await at.ok('GET', `/news/${id}/eido`, { as: key });
  });

  test('has every member that the standard requires, and every reference leads to a component', () => {
    const all: [string, Component][] = [['EIDO', eido], ...componentsOf(eido)];
    const missing = all.flatMap(([name, component]) =>
      [...OF_ALL, ...(REQUIRED[name] ?? [])]
        .filter((member) => component[member] === undefined)
        .map((member) => `${name}.${member}`),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(eido)).toEqual(
      expect.arrayContaining(['eidoVersion', 'issuingElementIdentification', 'agencyComponent']),
    );
    const ids = all.map(([, component]) => component['$id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(referencesIn(eido))].filter((reference) => !ids.includes(reference))).toEqual([]);
  });

  test('says what, where, how urgent and who is there', () => {
    const of = (name: string) =>
      componentsOf(eido)
        .filter(([of]) => of === name)
        .map(([, component]) => component);
    expect(of('incidentComponent')).toMatchObject([
      { incidentTypeInternalText: 'Kitchen fire', incidentCommonPriorityNumber: 10 },
    ]);
    expect(of('notesComponent').map((each) => each['notesActionComments'])).toEqual([
      'Flames &lt;high&gt;',
      'Gas is off',
    ]);
    expect(of('locationComponent')[0]!['locationByValue']).toContain('<gml:pos>47.14 9.52</gml:pos>');
    expect(of('emergencyResourceComponent')).toMatchObject([{ emergencyResourceName: 'Engine 1' }]);
  });

  test('comes back without doubling itself, and brings the notes of others', async () => {
    const back = {
      ...eido,
      notesComponent: [...(eido['notesComponent'] as object[]), note('their-1', 'Road is blocked')],
    };
    expect((await send(back)).json()).toEqual({ newsId: id, created: false, comments: 1 });
    expect(await comments(id)).toEqual(['Gas is off', 'Road is blocked']);
  });

  test('is shown to those who see the task alone', async () => {
    expect((await at.ask('GET', '/news/999999/eido', { as: admin })).status).toBe(404);
    expect((await at.ask('GET', `/news/${id}/eido`)).status).toBe(401);
  });
});
