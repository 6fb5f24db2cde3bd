import { performance } from 'node:perf_hooks';
import { askStation } from '../../browser/harness/ask-station.ts';
import { startStillDemo } from '../../browser/harness/console-harness.ts';
import { Chance } from '../../support/chance.ts';
import { percentile } from '../processes.ts';
import type { BenchReport } from '../run.ts';

const MANY = 2_000;
const QUESTIONS = 100;
/** Vehicles that are made side by side. */
const AT_ONCE = 50;
/** Streets of the demo's town. */
const TOWN = { lat: 56.18, lon: 18.87, height: 0.03, width: 0.06 };

/**
 * The set of a response plan over HTTP, of two engines, a ladder and an ambulance, with the road times to all
 * vehicles. The baseline is the demo with its own 42 vehicles.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const station = await startStillDemo();
  try {
    const login = { login: 'admin', password: 'admin-admin' };
    const { token } = await askStation(station, undefined, 'POST', '/auth/login', login);
    const ask = (method: string, path: string, body?: object) => askStation(station, token, method, path, body);
    const chance = new Chance();
    const place = () => ({
      lat: TOWN.lat + chance.next() * TOWN.height,
      lon: TOWN.lon + chance.next() * TOWN.width,
    });
    const { newstype } = await ask('GET', '/newstype');
    const { category } = await ask('GET', '/category');
    const call = {
      news_type_id: Number(newstype.find(({ name }: { name: string }) => name === 'Fire').news_type_id),
      category_id: Number(category.find(({ name }: { name: string }) => name === 'Emergency').id),
    };
    const measure = async () => {
      const times: number[] = [];
      for (let question = 0; question < QUESTIONS; question++) {
        const since = performance.now();
        const { units } = await ask('POST', '/proposals', { ...place(), ...call });
        times.push(performance.now() - since);
        if (units.length === 0) throw new Error('Nobody is proposed.');
      }
      return times;
    };
    await measure();
    const few = await measure();
    const known = (await ask('GET', '/cars')) as { kindId: number }[];
    for (let made = known.length; made < MANY; made += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, MANY - made) }, (_, index) =>
          ask('POST', '/cars', {
            name: `More ${made + index}`,
            glonassId: 500_000 + made + index,
            kindId: known[(made + index) % known.length]!.kindId,
          }),
        ),
      );
    const at = Date.now() - 1_000;
    const fix = (index: number) => ({ glonassId: 500_000 + index, time: at, ...place(), gpsCount: 9, speed: 0 });
    await ask(
      'POST',
      '/telemetry',
      Array.from({ length: MANY - known.length }, (_, index) => fix(known.length + index)),
    );
    await measure();
    const many = await measure();
    const all = `${MANY.toLocaleString('en')} / ${known.length} vehicles`;
    const part = (times: readonly number[]) => percentile(times, 0.95).toFixed(0);
    report.ratio(
      `the proposed set (${all})`,
      percentile(many, 0.5),
      percentile(few, 0.5),
      'ms',
      `95 % within ${part(many)} / ${part(few)} ms`,
    );
  } finally {
    await station.stop();
  }
}
