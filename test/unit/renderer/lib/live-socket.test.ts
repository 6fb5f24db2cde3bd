import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { PATIENCE } from '../../../support/patience.ts';
import { WebSocketServer } from 'ws';
import { LiveSocket } from '../../../../renderer/src/lib/live/socket.ts';

test('a console whose line is closed as soon as it opens comes back later and later', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const came: number[] = [];
  server.on('connection', (socket) => {
    came.push(performance.now());
    socket.close(1008, 'A user has at most 50 connections.');
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = new LiveSocket(
    `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    { onState: () => undefined, onMessage: () => undefined },
    () => Promise.resolve(),
  );
  onTestFinished(() => (socket.close(), server.close()));
  await expect.poll(() => came.length, { timeout: Math.max(PATIENCE, 20_000) }).toBe(4);
  // Twice as long each time, less the share that chance takes.
  const [first, second, third] = [came[1]! - came[0]!, came[2]! - came[1]!, came[3]! - came[2]!];
  expect(second).toBeGreaterThan(680);
  expect(third).toBeGreaterThan(1_380);
  expect(first).toBeLessThan(third);
}, 30_000);
