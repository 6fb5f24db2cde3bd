import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

let at: TryStation;
let admin: string;
/** Two who share and one who may not, of the first organization, and an administrator of another. */
let anna: string;
let boris: string;
let viewer: string;
let stranger: string;
let other: number;
beforeAll(async () => {
  at = await tryStation();
  admin = await at.signIn();
  const { capabilities } = await at.ok('GET', '/news/capabilities', { as: admin });
  const presets = Number(capabilities.find(({ name }: { name: string }) => name === 'presets').id);
  await newRight('Sharer', [1, presets]);
  [anna, boris, viewer] = await Promise.all(
    [
      ['anna', 'Sharer'],
      ['boris', 'Sharer'],
      ['viewer', 'Viewer'],
    ].map(async ([login, right]) => (await at.newUser(login!, right!)).token),
  );
  other = (await at.ok('POST', '/organizations', { as: admin, body: { name: 'Other' } })).id;
  const groupId = await newRight('Other administrator', [1], { admin: true, organizationId: other });
  const person = { login: 'stranger', password: 'a long pass phrase', fio: 'Stranger', enabled: true };
  await at.ok('POST', '/users', { as: admin, body: { ...person, groupId, organizationId: other } });
  stranger = await at.signIn('stranger', person.password);
});
afterAll(() => at.stop());

async function newRight(name: string, ids: readonly number[], more: object = {}): Promise<number> {
  const accesses = ids.map((capability_id) => ({ capability_id, states: null }));
  return (await at.ok('POST', '/rights', { as: admin, body: { name, accesses, ...more } })).id;
}
const LAYOUT = { grid: { root: {} }, panels: { map: { id: 'map' } } };
const share = (as: string, more: object = {}) =>
  at.ask('POST', '/presets', { as, body: { use: 'layout', name: 'Night', content: LAYOUT, ...more } });
const shared = async (as: string, more: object = {}) => JSON.parse((await share(as, more)).text);
const change = (as: string, id: number, body: object) => at.ask('PUT', `/presets/${id}`, { as, body });
const names = async (as: string): Promise<string[]> =>
  (await at.ok('GET', '/presets', { as })).map(({ name }: { name: string }) => name);
const replicated = async (as: string): Promise<{ key: string; name: string; isDeleted: boolean }[]> =>
  (await at.ok('GET', '/replica/accounts?limit=1000', { as })).documents.filter(
    ({ kind }: { kind?: string }) => kind === 'preset',
  );

test('who shares owns: the organization finds it, and what its owner changes, in lists and replicas', async () => {
  const made = await shared(anna);
  expect(made).toMatchObject({ use: 'layout', name: 'Night', content: LAYOUT });
  expect(await at.ok('GET', `/presets/${made.id}`, { as: viewer })).toEqual(made);
  expect([await names(viewer), await names(stranger)]).toEqual([['Night'], []]);
  expect([(await replicated(viewer)).map(({ name }) => name), await replicated(stranger)]).toEqual([['Night'], []]);

  const renamed = JSON.parse((await change(anna, made.id, { name: 'Nights' })).text);
  expect(renamed).toMatchObject({ name: 'Nights', content: LAYOUT });
  expect(renamed.changedAt).toBeGreaterThan(made.changedAt);
  const content = { ...LAYOUT, windows: ['map'] };
  const arranged = JSON.parse((await change(anna, made.id, { content })).text);
  expect(arranged).toMatchObject({ name: 'Nights', content });
  expect(arranged.changedAt).toBeGreaterThan(renamed.changedAt);
});

test('only the owner and an administrator change and withdraw, and bring it back under its id', async () => {
  const { id } = await shared(anna, { name: 'Storm', use: 'view', content: { filter: {}, order: 'urgency' } });
  expect((await change(boris, id, { name: 'Mine' })).text).toContain('Storm belongs to somebody else');
  expect((await change(boris, id, { name: 'Mine' })).status).toBe(403);
  for (const as of [boris, viewer])
    expect((await at.ask('DELETE', `/presets/${id}`, { as })).status, 'withdraws').toBe(403);
  expect((await change(stranger, id, { name: 'Mine' })).status).toBe(404);

  expect((await at.ask('DELETE', `/presets/${id}`, { as: anna })).status).toBe(200);
  expect(await names(viewer)).not.toContain('Storm');
  expect((await change(anna, id, { name: 'Late' })).status).toBe(404);
  expect((await at.ask('GET', `/presets/${id}`, { as: anna })).status).toBe(404);
  expect((await at.ask('POST', `/presets/${id}/restore`, { as: boris })).status).toBe(403);
  expect(await at.ok('POST', `/presets/${id}/restore`, { as: anna })).toMatchObject({ id, name: 'Storm' });
  expect((await change(admin, id, { name: 'Storms' })).status).toBe(200);
  expect((await at.ask('DELETE', `/presets/${id}`, { as: admin })).status).toBe(200);
});

test('sharing takes the right, and sharing with all organizations takes one who sees them all', async () => {
  expect([(await share(viewer)).status, (await share(anna, { organizationId: null })).status]).toEqual([403, 403]);
  expect((await share(anna, { organizationId: other })).status).toBe(404);
  const { id, organizationId } = await shared(admin, { name: 'Everybody', organizationId: null });
  expect(organizationId).toBeNull();
  expect([await names(viewer), await names(stranger)]).toEqual([expect.arrayContaining(['Everybody']), ['Everybody']]);
  expect((await replicated(stranger)).map(({ name }) => name)).toEqual(['Everybody']);
  expect((await change(stranger, id, { name: 'Ours' })).status).toBe(403);
  expect((await at.ask('GET', '/presets')).status).toBe(401);
});

test('an owner whose right shares no longer changes nothing more', async () => {
  const right = await newRight('For a while', [1, 15]);
  const { token } = await at.newUser('brief', 'For a while');
  const { id } = await shared(token, { name: 'Brief' });
  await at.ok('PUT', `/rights/${right}`, { as: admin, body: { accesses: [{ capability_id: 1, states: null }] } });
  expect((await change(token, id, { name: 'Longer' })).status).toBe(403);
});

test('what cannot be kept is refused, and nothing of it is', async () => {
  const before = await names(anna);
  const wrong = [
    { name: '' },
    { name: 'x'.repeat(61) },
    { use: 'palette' },
    { content: 'text' },
    { content: [1] },
    { content: { text: 'x'.repeat(60_001) } },
    { organizationId: 'ours' },
  ];
  for (const more of wrong) expect((await share(anna, more)).status, JSON.stringify(more).slice(0, 40)).toBe(400);
  expect(await names(anna)).toEqual(before);
  expect((await change(anna, 999_999, { name: 'x' })).status).toBe(404);
});

test('an organization shares at most 200', async () => {
  const room = 200 - (await names(stranger)).length + 1; // one of them is shared with all
  for (let i = 0; i < room; i++) expect((await share(stranger, { name: `L${i}` })).status).toBe(200);
  const { status, text } = await share(stranger, { name: 'one more' });
  expect([status, text]).toEqual([409, 'The organisation shares 200 layouts and views already.']);
});
