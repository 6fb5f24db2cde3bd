import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, type Served } from '../harness/served.ts';

const IMEI = '356307042441013';
let directory: string;
let port: number;
let station: Served | undefined;
const start = async () => (station = await serve(directory, { WAYPOST_TELTONIKA_PORT: String(port) }));
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-commands-'));
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  ({ port } = free.address() as AddressInfo);
  free.close();
  await start();
});
afterEach(async () => {
  await station?.end('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** A tracker that logs in; `heard` is what came after the answer to its login. */
function tracker(): { socket: Socket; heard: () => string } {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => (bytes = Buffer.concat([bytes, chunk])));
  socket.write(Buffer.concat([Buffer.from([0, IMEI.length]), Buffer.from(IMEI)]));
  return { socket, heard: () => bytes.subarray(1).toString('latin1') };
}

interface Command {
  readonly state: string;
  readonly failure: string | null;
}

test('a kill loses no command that was acknowledged, and repeats none that was sent', async () => {
  const { id } = await station!.ask<{ id: number }>('POST', '/cars', { name: 'Van 1', devimei: IMEI });
  const commands = () => station!.ask<Command[]>('GET', `/cars/${id}/commands`);
  await station!.ask('POST', `/cars/${id}/commands`, { text: 'getinfo' });
  await station!.end('SIGKILL');

  await start();
  expect(await commands()).toMatchObject([{ state: 'queued' }]);
  const first = tracker();
  await expect.poll(first.heard).toContain('getinfo');
  await station!.end('SIGKILL');
  first.socket.destroy();

  await start();
  expect(await commands()).toMatchObject([{ state: 'failed', failure: 'restarted' }]);
  await station!.ask('POST', `/cars/${id}/commands`, { text: 'getver' });
  const second = tracker();
  await expect.poll(second.heard).toContain('getver');
  expect(second.heard()).not.toContain('getinfo');
  second.socket.destroy();
});

test('a stop stores that the connection ended before the answer', async () => {
  const { id } = await station!.ask<{ id: number }>('POST', '/cars', { name: 'Van 1', devimei: IMEI });
  await station!.ask('POST', `/cars/${id}/commands`, { text: 'getinfo' });
  const device = tracker();
  await expect.poll(device.heard).toContain('getinfo');
  await station!.end('SIGTERM');
  device.socket.destroy();
  await start();
  expect(await station!.ask<Command[]>('GET', `/cars/${id}/commands`)).toMatchObject([
    { state: 'failed', failure: 'disconnected' },
  ]);
});
