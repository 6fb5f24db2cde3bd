// The main job, done by a program as an operator does it: a call, its address, the vehicle that is there
// first by road, and its arrival. Run by `offline.test.ts` in a network that has nothing but loopback.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { launchChromium } from '../../browser/harness/chromium.ts';
import { PROGRAM } from '../../support/program.ts';

const root = new URL('../../..', import.meta.url).pathname;
const guard = new URL('./loopback-only.ts', import.meta.url).pathname;
const station = spawn(process.execPath, ['--import', guard, PROGRAM, 'serve', '--demo', '--port', '0'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_OPTIONS: `--import ${guard}`, WAYPOST_DEMO_SPEED: '30' },
});
const address = await new Promise<string>((found) => {
  let said = '';
  station.stdout.on('data', (bytes) => {
    said += bytes;
    const listening = /listening on (http:\S+)/.exec(said)?.[1];
    if (listening) found(listening);
  });
});

try {
  const { token } = await ask<{ token: string }>('POST', '/auth/login', {
    login: 'dispatcher',
    password: 'dispatcher',
  });
  const call = <T>(method: string, path: string, body?: unknown) => ask<T>(method, path, body, token);

  const groups = await call<{ groupName: string; items: { label: string; point: { lon: number; lat: number } }[] }[]>(
    'GET',
    '/geocoding?query=mill%20st&limit=5',
  );
  const street = groups.find(({ groupName }) => groupName === 'Streets')?.items[0];
  assert.ok(street, 'a street is found by a part of its name');
  console.log('the address is found');

  const { newstype } = await call<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const { newsId } = await call<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Cable out', news_type_id: Number(newstype[0]!.news_type_id) },
    point: [street.point.lon, street.point.lat],
  });
  const ranked = await call<
    { carId: number; glonassId: number; available: boolean; time: number; reasons: string[] }[]
  >('GET', `/news/${newsId}/recommendations`);
  const first = ranked[0]!;
  assert.ok(first.available && first.time > 0, 'a vehicle is recommended with its time by road');
  console.log('a vehicle is recommended');

  await call('POST', `/news/${newsId}/update`, { assigned_car_id: first.carId });
  await until('the vehicle arrived', 150_000, async () => {
    const vehicle = await call<{ info: { lat: number; lon: number } }>('GET', `/cars/${first.carId}`);
    return metres(vehicle.info, street.point) < 120;
  });

  const browser = await launchChromium();
  const page = await browser.newPage();
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(address);
  await page.waitForSelector('input[type=password]');
  await page.locator('input').first().fill('dispatcher');
  await page.fill('input[type=password]', 'dispatcher');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.leaflet-container canvas');
  await wait(3000); // whatever a console would ask for by itself, it has asked for by then
  await browser.close();
  assert.deepEqual(
    [...asked].filter((origin) => origin !== address && origin !== 'null' && origin !== address.replace('http', 'ws')),
    [],
  );
  console.log('the console asked nobody but its station');
} finally {
  station.kill('SIGTERM');
  await once(station, 'exit');
}

async function ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const response = await fetch(address + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, `${method} ${path}: ${text}`);
  return JSON.parse(text) as T;
}

async function until(what: string, within: number, holds: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + within; Date.now() < end; await wait(500)) {
    if (await holds()) return console.log(what);
  }
  assert.fail(`not within ${within / 1000} s: ${what}`);
}

function metres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180)) * 111_195;
}
