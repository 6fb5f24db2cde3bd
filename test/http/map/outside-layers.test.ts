import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

const ROADS = 'https://{s}.tiles.example/{z}/{x}/{y}.png © Survey';
let at: TryStation;
let admin: string;
let pages: string;

beforeAll(async () => {
  pages = mkdtempSync(join(tmpdir(), 'waypost-pages-'));
  for (const page of ['index', 'crew', 'citizens'])
    writeFileSync(join(pages, `${page}.html`), '<!doctype html><title>Page</title>');
  at = await tryStation({ pages });
  admin = await at.signIn();
});
afterAll(async () => {
  await at.stop();
  rmSync(pages, { recursive: true });
});

async function pictureRule(path: string, headers: Record<string, string> = {}) {
  const page = await at.ask('GET', path, { headers });
  const policy = page.headers.get('content-security-policy') ?? '';
  const [rule] = policy.split('; ').filter((one) => one.startsWith('img-src'));
  return { status: page.status, rule, tag: page.headers.get('etag')! };
}
const change = (body: object) => at.ask('PUT', '/organizations/1', { as: admin, body });

test('the console may load pictures from the servers that organizations name, and from no others', async () => {
  const before = await pictureRule('/');
  expect(before.rule).toBe("img-src 'self' data: blob:");
  expect((await change({ mapRoadProvider: ROADS, mapAerialProvider: 'http://10.0.0.7:8080/{z}/{y}/{x}' })).status).toBe(
    200,
  );
  expect((await pictureRule('/')).rule).toBe(
    "img-src 'self' data: blob: http://10.0.0.7:8080 https://a.tiles.example https://b.tiles.example https://c.tiles.example",
  );
  expect((await pictureRule('/crew')).rule).toBe(before.rule);
});

test('a browser that has the page gets its new policy, since it keeps the old one with a page that is unchanged', async () => {
  const { tag } = await pictureRule('/');
  expect((await pictureRule('/', { 'if-none-match': tag })).status).toBe(304);
  await change({ mapAerialProvider: '' });
  const now = await pictureRule('/', { 'if-none-match': tag });
  expect(now).toMatchObject({ status: 200, rule: expect.not.stringContaining('10.0.0.7') });
  await change({ mapRoadProvider: 'roads' });
  expect((await pictureRule('/', { 'if-none-match': now.tag })).rule).toBe("img-src 'self' data: blob:");
});

test('an address that names no tile is refused with an example, and leaves the record as it was', async () => {
  for (const mapRoadProvider of [
    'https://tiles.example/',
    'https://tiles.example;script-src *;/{z}/{x}/{y}',
    'https://me:secret@tiles.example/{z}/{x}/{y}',
  ]) {
    const refused = await change({ mapRoadProvider, name: 'Renamed' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('https://tiles.example/{z}/{x}/{y}.png');
  }
  const { organization } = (await at.ask('GET', '/users/current', { as: admin })).json();
  expect(organization).toMatchObject({ mapRoadProvider: 'roads' });
  expect(organization.name).not.toBe('Renamed');
});
