import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { TestStation } from '../../stations/harness/test-station.ts';
import type { ConsolesOrder, ConsolesTimes } from './sync-consoles.worker.ts';

/** A console that replicates tasks: notes when the titles that are expected arrive. Newer edits hide older ones. */
export async function observing(station: TestStation) {
  const delays: number[] = [];
  const expected = new Map<string, number>();
  const socket = new WebSocket(`${station.address.replace('http', 'ws')}/ws?token=${station.token}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  interface Page {
    readonly epoch: string;
    readonly checkpoint: string;
    readonly more: boolean;
    readonly documents: readonly { readonly title?: string }[];
  }
  let at: Pick<Page, 'epoch' | 'checkpoint'> = { epoch: '', checkpoint: '0' };
  const pull = async () => {
    for (;;) {
      const page = await station.ask<Page>(
        'GET',
        `/replica/messages?limit=1000&after=${at.checkpoint}${at.epoch && `&epoch=${at.epoch}`}`,
      );
      at = page;
      for (const { title } of page.documents) arrived(title ?? '');
      if (!page.more) return;
    }
  };
  /** The record has the latest title; the edits before it arrived with it. */
  const arrived = (title: string) => {
    if (!expected.has(title)) return;
    const now = performance.now();
    for (const [one, sent] of expected) {
      expected.delete(one);
      delays.push(now - sent);
      if (one === title) return;
    }
  };
  await pull();
  let pulling: Promise<void> | undefined;
  let again = false;
  const nudge = () => {
    if (pulling) return void (again = true);
    pulling = pull().finally(() => {
      pulling = undefined;
      if (again) nudge();
      again = false;
    });
  };
  socket.on('message', (data) => String(data).includes('REPLICA_CHANGES') && nudge());
  socket.send(JSON.stringify({ command: 'SET_REPLICA', data: { collections: ['messages'] } }));
  return {
    delays,
    expect: (title: string, sent: number) => void expected.set(title, sent),
    async rest(): Promise<number> {
      for (const until = performance.now() + 5_000; expected.size > 0 && performance.now() < until;) await pause(20);
      return expected.size;
    },
    close: () => socket.terminate(),
  };
}

/** Consoles that connect at once, on a thread of their own. */
export function consolesOpened(order: ConsolesOrder): Promise<ConsolesTimes> {
  const worker = new Worker(new URL('sync-consoles.worker.ts', import.meta.url));
  return new Promise<ConsolesTimes>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}
