import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestStation } from '../../stations/harness/test-station.ts';
import { percentile, processorSeconds } from '../processes.ts';
import type { BenchReport } from '../run.ts';

const MESSAGES = Number(process.env['WAYPOST_BENCH_MESSAGES'] ?? 10_000);
const MINUTE = 60_000;
const TASKS = 200;

/** Messages of a minute to a receiver that fails half of the time, beside the same changes without a webhook. */
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
    report.line(
      `${busy.written.toLocaleString('en')} messages in ${took.toFixed(0)} s, ${receiver.attempts.toLocaleString('en')} attempts, of which half failed: ${missing} missing, ${disordered} out of order`,
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
  const made = Array.from({ length: TASKS }, () =>
    station.ask<{ newsId: number }>('POST', '/news/', { action: 'put', values }),
  );
  return (await Promise.all(made)).map(({ newsId }) => newsId);
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
  for (let round = 1; round <= MESSAGES / ids.length; round++) {
    const due = began + (round * ids.length * MINUTE) / MESSAGES;
    await Promise.all(ids.map((id) => station.ask('POST', `/news/${id}/update`, { title: `${word} ${round}` })));
    written += ids.length;
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
  let attempts = 0;
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      attempts++;
      if (attempts % 2 === 0) return response.writeHead(503).end();
      const id = String(request.headers['webhook-id']);
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
    get attempts() {
      return attempts;
    },
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
