import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { WebSocket } from 'ws';
import { PROGRAM } from '../../support/program.ts';
import { percentile, processorSeconds, residentOf } from '../processes.ts';
import type { BenchReport } from '../run.ts';

const VEHICLES = Number(process.env['WAYPOST_BENCH_VEHICLES'] ?? 5_000);
const CLIENTS = Number(process.env['WAYPOST_BENCH_CLIENTS'] ?? 20);
/**
 * Clients whose messages are looked into; the others only take them, so that this process does not measure
 * itself.
 */
const LOOKED_AT = 2;
const SECONDS = 15;
/** Posts in a second, evenly. */
const POSTS = 50;
const ROOT = new URL('../../..', import.meta.url).pathname;

/**
 * A whole station as a process of its own: every vehicle sends each second over HTTP, 20 clients follow all
 * of them. From the socket of the post to the socket of the client.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-live-'));
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--data', directory, '--port', '0'], {
    cwd: ROOT,
    env: { ...process.env, WAYPOST_ADMIN_PASSWORD: 'bench bench bench' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const agent = new Agent({ connections: 16 });
  const sockets: WebSocket[] = [];
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (bytes) => {
        said += bytes;
        const found = /listening on (http:\S+)/.exec(said)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', () => reject(new Error('The station ended.')));
    });
    const post = async (path: string, body: unknown, token?: string) => {
      const answer = await request(address + path, {
        method: 'POST',
        dispatcher: agent,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      });
      const json = (await answer.body.json()) as Record<string, unknown>;
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
      return json;
    };
    const token = (await post('/auth/login', { login: 'admin', password: 'bench bench bench' }))['token'] as string;
    const devices = Array.from({ length: VEHICLES }, (_, index) => index + 1);
    for (let first = 0; first < VEHICLES; first += 100)
      await Promise.all(
        devices
          .slice(first, first + 100)
          .map((glonassId) => post('/cars', { name: `Live ${glonassId}`, glonassId }, token)),
      );

    const delays: number[] = [];
    let bytes = 0;
    for (let client = 0; client < CLIENTS; client++) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`);
      sockets.push(socket);
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      socket.send(JSON.stringify({ command: 'SET_OBSERVABLE_CARS', data: devices }));
      socket.on('message', (data: Buffer) => {
        bytes += data.length;
        if (client >= LOOKED_AT) return;
        const now = Date.now();
        for (const [, sent] of data.toString('latin1').matchAll(/"data":(\d{13})/g)) delays.push(now - Number(sent));
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
    delays.length = 0;
    bytes = 0;

    const began = performance.now();
    const usedBefore = processorSeconds(child.pid!);
    const slowest: number[] = [];
    const answers: Promise<unknown>[] = [];
    for (let turn = 0; turn < SECONDS * POSTS; turn++) {
      const second = Math.floor(turn / POSTS);
      const share = devices.filter((device) => device % POSTS === turn % POSTS);
      const now = Date.now();
      const sent = performance.now();
      answers.push(
        post(
          '/telemetry',
          share.map((device) => ({
            glonassId: device,
            time: now,
            lat: 47 + (device % 1000) / 5000 + second / 20_000,
            lon: 9.5 + second / 20_000,
            speed: 50,
            direction: 45,
            height: 430,
            gpsCount: 9,
          })),
          token,
        ).then(() => slowest.push(performance.now() - sent)),
      );
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(0, began + ((turn + 1) * 1000) / POSTS - performance.now())),
      );
    }
    await Promise.all(answers);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const took = (performance.now() - began) / 1000;
    const used = processorSeconds(child.pid!) - usedBefore;
    const expected = VEHICLES * SECONDS * LOOKED_AT;
    report.line(
      `${VEHICLES.toLocaleString('en')} vehicles at 1 Hz for ${SECONDS} s (sent in ${(took - 1).toFixed(1)} s) to ${CLIENTS} clients: ${Math.round(bytes / 1e6 / took)} MB/s out`,
    );
    report.line(
      `from socket to socket: median ${percentile(delays, 0.5)} ms, p99 ${percentile(delays, 0.99)} ms, greatest ${Math.max(...delays.slice(-50_000))} ms; ${((delays.length / expected) * 100).toFixed(1)} % of the positions (a newer one may take the place of an older)`,
    );
    report.line(
      `a post of ${VEHICLES / POSTS} records is acknowledged in ${percentile(slowest, 0.5).toFixed(0)} ms (median), ${percentile(slowest, 0.99).toFixed(0)} ms (p99)`,
    );
    report.ratio('processor of the station, all its threads, beside one core', used, took, 's');
    report.line(`memory of the station: ${Math.round(residentOf(child.pid!) / 1e6)} MB`);
  } finally {
    for (const socket of sockets) socket.terminate();
    await agent.close();
    child.kill('SIGTERM');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}
