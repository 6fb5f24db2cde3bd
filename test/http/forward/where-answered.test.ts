import { expect, onTestFinished, test } from 'vitest';
import {
  isAnsweredHere,
  isOfAnyStation,
  OF_ANY_STATION,
  OF_A_STATION,
  ownerOf,
  READING_POSTS,
  rememberedBy,
  WITH_UPLOADS,
} from '../../../server/http/forward/where-answered.ts';
import { tryStation } from '../try-station.ts';

test('every line of the tables is of a path that there is', async () => {
  const at = await tryStation();
  onTestFinished(() => at.stop());
  const { routes } = at.station.http;
  const names = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  for (const name of [...OF_ANY_STATION, ...READING_POSTS, ...WITH_UPLOADS]) expect(names).toContain(name);
  for (const pattern of OF_A_STATION)
    expect(
      routes.filter(({ path }) => pattern.test(path)),
      String(pattern),
    ).not.toEqual([]);
});

test('a console server answers what reads records, and passes on what writes or is of a station', () => {
  const here = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string) => isAnsweredHere({ method, path });
  for (const path of [
    '/news/:newsId',
    '/replica/:collection',
    '/users/current',
    '/auth/preferences',
    '/health',
    '/events',
  ])
    expect(here('GET', path), path).toBe(true);
  expect(here('POST', '/proposals')).toBe(true);
  for (const path of ['/audit', '/cars/:id/track', '/auth/sessions', '/backups', '/crew/state', '/warnings'])
    expect(here('GET', path), path).toBe(false);
  for (const method of ['POST', 'PUT', 'DELETE'] as const) expect(here(method, '/news/:newsId'), method).toBe(false);
});

test('the station is that whose number begins the id; what may name an upload goes to the first one', () => {
  const owner = (path: string, id: string) => ownerOf({ method: 'POST', path }, { newsId: id });
  expect(owner('/news/:newsId/acknowledge', '20000001')).toBe(2);
  expect(owner('/news/:newsId/acknowledge', '2139999999')).toBe(213);
  expect(owner('/news/:newsId/acknowledge', '10000000')).toBe(1);
  expect(owner('/news/:newsId/acknowledge', '9999999')).toBeUndefined();
  expect(owner('/news/:newsId/comments', '20000001')).toBeUndefined();
  expect(owner('/fileload/:uuid', '20000001-abcd.png')).toBeUndefined();
});

test('signing in and out is of any station; what a person changes about their sign-in is of one', () => {
  expect(isOfAnyStation({ method: 'POST', path: '/auth/login' })).toBe(true);
  for (const path of ['/auth/password', '/auth/totp', '/auth/keys', '/news/'])
    expect(isOfAnyStation({ method: 'POST', path }), path).toBe(false);
  for (const name of OF_ANY_STATION) {
    const [method, path] = name.split(' ') as ['GET' | 'POST', string];
    expect(isAnsweredHere({ method, path }), name).toBe(false);
  }
});

test('a sign-in with a provider is finished by the station that its secret names', () => {
  const [secret, nothing] = ['17-' + 'x'.repeat(43), Buffer.from('')];
  const at = (path: string, cookie: string | undefined, body = nothing) =>
    rememberedBy({ method: 'GET', path }, cookie, body);
  expect(at('/auth/oidc/callback', secret)).toBe(17);
  for (const cookie of [undefined, '', 'x'.repeat(43), '-', '1234-x'])
    expect(at('/auth/oidc/callback', cookie), cookie).toBeUndefined();
  expect(at('/auth/oidc/hand-over', undefined, Buffer.from(JSON.stringify({ code: secret, verifier: '' })))).toBe(17);
  for (const body of ['', '{', '[]', '{"code":17}'])
    expect(at('/auth/oidc/hand-over', undefined, Buffer.from(body)), body).toBeUndefined();
  expect(at('/auth/login', secret)).toBeUndefined();
});
