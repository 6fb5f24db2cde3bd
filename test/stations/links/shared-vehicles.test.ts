import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { shortest } from '../../support/shortest.ts';
import { areEqual, pair, startStations, type TestStation } from '../harness/linked.ts';

interface Car {
  readonly id: number;
  readonly info: { readonly lat: number; readonly lon: number; readonly time: number } | null;
}

async function drive(station: TestStation, time: number, lat: number, params = {}): Promise<void> {
  const { accepted } = await station.ask<{ accepted: number }>('POST', '/telemetry', {
    glonassId: 12,
    time,
    lat,
    lon: 14.5,
    speed: 40,
    direction: 0,
    height: 0,
    gpsCount: 9,
    glonassCount: 0,
    inputs: 0,
    adc: [],
    params,
  });
  expect(accepted).toBe(1);
}

test('[sync 70] a vehicle that drives at one station is on the map of the other one within a second', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await a.ask('POST', '/cars', { name: 'Van 12', glonassId: 12 });
  const cable = await pair(a, b);
  await areEqual([a, b]);
  const [{ id }] = (await b.ask<Car[]>('GET', '/cars')) as [Car];
  const at = (station: TestStation) => station.ask<Car>('GET', `/cars/${id}`).then(({ info }) => info?.lat);
  const now = Date.now();
  const took = await shortest(1500, async (attempt) => {
    await drive(a, now - 10_000 + attempt * 1_000, (359_000 + attempt) / 10_000);
    const began = performance.now();
    await expect.poll(() => at(b), { interval: 20 }).toBe((359_000 + attempt) / 10_000);
    return performance.now() - began;
  });
  expect(took).toBeLessThan(1500);

  const before = await at(b);
  cable.cut();
  await drive(a, now - 4_000, 35.901);
  expect(await at(b)).toBe(before);
  cable.join();
  await expect.poll(() => at(b)).toBe(35.901);
});

test('[sync 65] [sync 67] a photo arrives after its record, whole, also over a line that breaks', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const cable = await pair(a, b);
  await areEqual([a, b]);
  cable.rate = 200_000;
  const bytes = Buffer.from(Array.from({ length: 900_000 }, (_, at) => (at * 7919 + (at >> 8)) & 0xff));
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'plan.bin');
  const uploaded = await fetch(`${a.address}/fileload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${a.token}` },
  });
  expect(uploaded.status).toBe(200);
  const { newstype } = await a.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const uuid = /[0-9a-f-]{36}\.\w+/.exec(await uploaded.text())![0];
  const { newsId } = await a.ask<{ newsId: number }>('POST', '/news/', {
    values: { title: 'With a plan', news_type_id: Number(newstype[0]!.news_type_id) },
    files: [uuid],
  });
  interface File {
    readonly pending?: true;
    readonly file_name: string;
  }
  const files = () =>
    b.ask<{ files: File[] }>('GET', `/news/${newsId}/files`).then(
      ({ files: found }) => found,
      () => [],
    );
  await expect.poll(files, { interval: 20 }).toMatchObject([{ pending: true }]);
  const [{ file_name: name }] = (await files()) as [File];
  const path = `/department_files/dif_files/${name}`;
  const early = await fetch(b.address + path, { headers: { authorization: `Bearer ${b.token}` } });
  expect([early.status, await early.text()]).toEqual([404, expect.stringContaining('pending')]);
  expect((await b.links())[0]).toMatchObject({ state: 'behind' });
  cable.cut();
  cable.join();
  await expect.poll(async () => (await files())[0]?.pending, { timeout: 60_000 }).toBeUndefined();
  const whole = await fetch(b.address + path, { headers: { authorization: `Bearer ${b.token}` } });
  const digest = (of: Buffer) => createHash('sha256').update(of).digest('hex');
  expect(digest(Buffer.from(await whole.arrayBuffer()))).toBe(digest(bytes));
  await areEqual([a, b]);
});

test('[sync 78] events and alarms are equal at both stations, and what is acknowledged here is silent there', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await a.ask('POST', '/cars', { name: 'Van 12', glonassId: 12 });
  await pair(a, b);
  await areEqual([a, b]);
  const now = Date.now();
  await drive(a, now - 20_000, 35.9);
  await drive(a, now - 10_000, 35.901, { power_cut: true });
  interface Alarm {
    readonly id: number;
    readonly state: string;
  }
  const alarms = (station: TestStation) => station.ask<Alarm[]>('GET', '/alarms');
  await expect.poll(() => alarms(a)).toHaveLength(1);
  await expect.poll(() => alarms(b)).toHaveLength(1);
  const [alarm] = (await alarms(b)) as [Alarm];
  await b.ask('POST', `/alarms/${alarm.id}/acknowledge`, { comment: 'Crew answers' });
  await expect.poll(async () => (await alarms(a))[0]?.state).toBe('acknowledged');
  await areEqual([a, b]);
  const events = (station: TestStation) =>
    station.ask<{ id: number; type: number }[]>('GET', `/events?from=${now - 60_000}&till=${now + 60_000}`);
  expect((await events(a)).length).toBeGreaterThan(0);
  expect(await events(b)).toEqual(await events(a));
});

test('[sync 79] a road that is closed at one station is closed at the other one', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await areEqual([a, b]);
  const geometry = { type: 'LineString', coordinates: [[14.5, 35.9], [14.51, 35.9]] }; // prettier-ignore
  const took = await shortest(2000, async () => {
    const { id } = await a.ask<{ id: number }>('POST', '/closures', { name: 'Flood', reason: 'Water', geometry });
    const began = performance.now();
    await expect.poll(() => b.ask('GET', '/closures'), { interval: 20 }).toMatchObject([{ id, name: 'Flood' }]);
    const ms = performance.now() - began;
    await b.ask('DELETE', `/closures/${id}`);
    await expect.poll(() => a.ask('GET', '/closures')).toEqual([]);
    return ms;
  });
  expect(took).toBeLessThan(2000);
});
