import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { PROGRAM } from '../../support/program.ts';
import { TestStation } from '../harness/test-station.ts';
import { figureAt, MapsProcess } from './maps-process.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

// Debian's nats-server: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!HAS_NATS)('map services of a region', () => {
  let servers: NatsServers;
  let station: TestStation;
  let services: MapsProcess[];
  let questions: readonly (readonly [path: string, body?: object])[];
  /** What the station answers by itself. */
  let expected: readonly string[];

  beforeAll(async () => {
    servers = await NatsServers.start();
    const environment = { WAYPOST_NATS_SERVERS: servers.addresses.join(',') };
    station = new TestStation(1, { ...environment, WAYPOST_NATS_MAPS: 'true' });
    const env = { ...process.env, WAYPOST_DATA: station.directory };
    const [code] = (await once(
      spawn(process.execPath, [PROGRAM, 'import', 'resources/demo/town.osm.pbf'], { cwd: ROOT, env }),
      'exit',
    )) as [number];
    expect(code).toBe(0);
    await station.start();
    services = [1, 2].map(() => new MapsProcess(station.directory, environment));
    questions = await questionsAbout(station);
    expected = await Promise.all(questions.map(ask));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await station.end('SIGKILL');
    rmSync(station.directory, { recursive: true, force: true });
    await servers.close();
  });

  /** The answer as text: its bytes are compared. */
  async function ask([path, body]: readonly [string, object?]): Promise<string> {
    const response = await fetch(station.address + path, {
      headers: { 'authorization': `Bearer ${station.token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.status, `${path} ${text}`).toBe(200);
    return text;
  }
  const problems = async () =>
    (await station.ask<{ problems?: { code: string }[] }>('GET', '/health')).problems?.map(({ code }) => code) ?? [];
  const answeredBy = (who: 'service' | 'station') =>
    figureAt(station.address, `waypost_maps_questions_total{by="${who}"}`, {
      authorization: `Bearer ${station.token}`,
    });
  const shares = () => Promise.all(services.map((service) => service.answered()));
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

  test('without one the station answers itself, and says so', async () => {
    expect(await problems()).toContain('region.maps');
    expect(await answeredBy('station')).toBe(questions.length);
    expect(await answeredBy('service')).toBe(0);
  });

  test('two of them share the load, and answer as the station does', async () => {
    await Promise.all(services.map((service) => service.start()));
    await expect.poll(problems).not.toContain('region.maps');
    // Both have looked at their territory when the station asks.
    await expect
      .poll(async () => (await Promise.all(questions.map(ask)), Math.min(...(await shares()))))
      .toBeGreaterThan(5);
    const [byServices, byItself] = await Promise.all([answeredBy('service'), answeredBy('station')]);
    expect(await Promise.all(questions.map(ask))).toEqual(expected);
    expect(await answeredBy('service')).toBe(byServices + questions.length);
    expect(await answeredBy('station')).toBe(byItself);
    expect(sum(await shares())).toBe(byServices + questions.length);
  });

  test('one is killed during questions: each is answered once, and rightly', async () => {
    const before = (await answeredBy('service')) + (await answeredBy('station'));
    const asked = [...Array(6).keys()].map(() => Promise.all(questions.map(ask)));
    await services[0]!.end('SIGKILL');
    for (const answers of await Promise.all(asked)) expect(answers).toEqual(expected);
    expect((await answeredBy('service')) + (await answeredBy('station'))).toBe(before + 6 * questions.length);
    const left = await services[1]!.answered();
    expect(await Promise.all(questions.map(ask))).toEqual(expected);
    expect(await services[1]!.answered()).toBe(left + questions.length);
    expect(await problems()).not.toContain('region.maps');
  });

  test('a closure of the station holds for its services, and is gone with it', async () => {
    const { bounds } = (await station.ask<{ territory: { bounds: number[] } }>('GET', '/health')).territory;
    const [west, south, east, north] = bounds as [number, number, number, number];
    const middle = (south + north) / 2;
    const line = [
      [west, middle],
      [east, middle],
    ];
    const { id } = await station.ask<{ id: number }>('POST', '/closures', {
      name: 'Slow',
      factor: 0.2,
      geometry: { type: 'LineString', coordinates: line },
    });
    await expect.poll(() => ask(questions[0]!)).not.toBe(expected[0]);
    await expect.poll(problems).not.toContain('region.maps');
    const before = await answeredBy('service');
    const slowed = await Promise.all(questions.map(ask));
    expect(await answeredBy('service')).toBe(before + questions.length);
    expect(slowed).not.toEqual(expected);
    await station.ask('DELETE', `/closures/${id}`);
    await expect.poll(() => ask(questions[0]!)).toBe(expected[0]);
    await expect.poll(problems).not.toContain('region.maps');
    expect(await Promise.all(questions.map(ask))).toEqual(expected);
    // The same closure at the station alone.
    await services[1]!.end('SIGKILL');
    await expect.poll(problems, { timeout: 30_000 }).toContain('region.maps');
    await station.ask('POST', '/closures', {
      name: 'Slow',
      factor: 0.2,
      geometry: { type: 'LineString', coordinates: line },
    });
    await expect.poll(() => ask(questions[0]!)).toBe(slowed[0]);
    const own = await answeredBy('station');
    expect(await Promise.all(questions.map(ask))).toEqual(slowed);
    expect(await answeredBy('station')).toBe(own + questions.length);
  });
});

/** Tables, trips, tracks and batches all over the town. */
async function questionsAbout(station: TestStation) {
  const { territory } = await station.ask<{ territory: { bounds: number[] } }>('GET', '/health');
  const [west, south, east, north] = territory.bounds as [number, number, number, number];
  const at = (x: number, y: number) => [west + (east - west) * x, south + (north - south) * y] as const;
  return [0.3, 0.4, 0.5, 0.6].flatMap((x): (readonly [string, object?])[] => {
    const points = [at(x, 0.3), at(x, 0.45), at(x + 0.1, 0.6), at(x + 0.1, 0.7)];
    const pairs = points.map(([lon, lat]) => `${lon},${lat}`).join(';');
    return [
      [`/table?${points.map(([lon, lat]) => `loc=${lat},${lon}`).join('&')}`],
      [`/table/v1/driving/${pairs}`],
      [`/trip/v1/driving/${pairs}?steps=true`],
      ['/geocoding/batch', { queries: [{ query: 'harbour' }], lon: points[0]![0], lat: points[0]![1] }],
    ];
  });
}
