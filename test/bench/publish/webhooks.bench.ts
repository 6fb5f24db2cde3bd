import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestStation } from '../../stations/harness/test-station.ts';
import { percentile, processorSeconds } from '../processes.ts';
import type { BenchReport } from '../run.ts';

const MESSAGES = Number(process.env['WAYPOST_BENCH_MESSAGES'] ?? 10_000);
const MINUTE = 60_000;
/** Each gets a message every 12 s: a task whose every message is repeated for 6 s falls behind no further. */
const TASKS = 2_000;
/** Changes that are sent at a time. */
const BATCH = 200;
/** A repeated message is refused so often, and every second one is repeated: half of all attempts fail. */
const REFUSALS = 2;

/** Messages of a minute to a receiver that refuses half of the attempts, beside the same changes without a webhook. */
export default async function bench(report: BenchReport): Promise<void> {
  const station = new TestStation(1);
  await station.start();
  const receiver = await startReceiver();
  try {
    const ids = await makeTasks(station);
    const quiet = await minuteOfChanges(station, ids, 'quiet');
    const body = { name: 'Bench', url: receiver.url, types: ['task.changed'] };
    const { id } = await station.ask<{ id: number }>('POST', '/webhooks', body);
    const began = performance.now();
    const busy = await minuteOfChanges(station, ids, 'told');
    let waiting = MESSAGES;
    while (waiting > 0) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      ({ waiting } = await station.ask<{ waiting: number }>('GET', `/webhooks/${id}`));
    }
    const took = (performance.now() - began) / 1000;
    const { missing, disordered } = receiver.faults(ids, busy.written);
    const { attempts, refused } = receiver.counts();
    const figures = [busy.written, attempts, refused].map((count) => count.toLocaleString('en'));
    report.line(
      `${figures[0]} messages in ${took.toFixed(0)} s, ${figures[1]} attempts, ${figures[2]} refused: ${missing} missing, ${disordered} out of order`,
    );
    report.ratio(
      'requests of everybody else meanwhile, median',
      percentile(busy.lists, 0.5),
      percentile(quiet.lists, 0.5),
      'ms',
      'against the same changes without a webhook',
    );
    report.ratio(
      'requests of everybody else meanwhile, p99',
      percentile(busy.lists, 0.99),
      percentile(quiet.lists, 0.99),
      'ms',
      '1.5 is wanted',
    );
    report.ratio(
      'processor of the station, a change',
      (busy.processor / busy.written) * 1e6,
      (quiet.processor / quiet.written) * 1e6,
      'us',
    );
  } finally {
    await station.end('SIGKILL');
    await receiver.stop();
  }
}

async function makeTasks(station: TestStation): Promise<number[]> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title: '0', news_type_id: Number(newstype[0]!.news_type_id) };
  const ids: number[] = [];
  while (ids.length < TASKS) {
    const made = Array.from({ length: BATCH }, () =>
      station.ask<{ newsId: number }>('POST', '/news/', { action: 'put', values }),
    );
    ids.push(...(await Promise.all(made)).map(({ newsId }) => newsId));
  }
  return ids;
}

/** Spreads the changes over a minute; each task counts up in its title. A list is asked for all the time. */
async function minuteOfChanges(station: TestStation, ids: readonly number[], word: string) {
  const usedBefore = processorSeconds(station.pid);
  const lists: number[] = [];
  let written = 0;
  let over = false;
  const ask = async () => {
    while (!over) {
      const began = performance.now();
      await station.ask('GET', '/news/listAfterId/0/20');
      lists.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const asking = ask();
  const began = performance.now();
  for (let batch = 0; batch < MESSAGES / BATCH; batch++) {
    const first = (batch * BATCH) % ids.length;
    const title = `${word} ${Math.floor((batch * BATCH) / ids.length) + 1}`;
    await Promise.all(
      ids.slice(first, first + BATCH).map((id) => station.ask('POST', `/news/${id}/update`, { title })),
    );
    written += BATCH;
    const due = began + ((batch + 1) * BATCH * MINUTE) / MESSAGES;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  over = true;
  await asking;
  return { lists, written, processor: processorSeconds(station.pid) - usedBefore };
}

async function startReceiver() {
  /** The titles that were taken, by task. */
  const taken = new Map<string, string[]>();
  const seen = new Set<string>();
  /** How often each message is still to be refused. */
  const refusals = new Map<string, number>();
  let attempts = 0;
  let refused = 0;
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      attempts++;
      const id = String(request.headers['webhook-id']);
      const left = refusals.get(id) ?? (refusals.size % 2) * REFUSALS;
      refusals.set(id, left - 1);
      if (left > 0) {
        refused++;
        return response.writeHead(503).end();
      }
      if (!seen.has(id)) {
        const { data } = JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as {
          data: { news: { id: string; title: string } };
        };
        taken.set(data.news.id, [...(taken.get(data.news.id) ?? []), data.news.title]);
      }
      seen.add(id);
      return response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    counts: () => ({ attempts, refused }),
    faults(ids: readonly number[], written: number) {
      const numbers = ids.map((id) => (taken.get(String(id)) ?? []).map((title) => Number(title.split(' ')[1])));
      const count = numbers.reduce((sum, list) => sum + list.length, 0);
      const disordered = numbers.flat().length - numbers.flatMap((list) => list.filter((n, at) => n === at + 1)).length;
      return { missing: written - count, disordered };
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
