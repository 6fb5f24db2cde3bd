import { readdirSync, rmSync, mkdtempSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pngOf } from '../png.ts';
import { tryStation, type TryStation } from '../try-station.ts';

/** The test file of the makers of scanners; in two pieces, or scanners would remove this test. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('');
/** A clamd that is there already: its socket. It must know the test file. */
const REAL = process.env['WAYPOST_CLAMD'];

let directory: string;
let clamd: Server | undefined;
let mood: 'scans' | 'hangs up' | 'takes little' = 'scans';
let at: TryStation;
let admin: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-clamd-'));
  const path = REAL ?? join(directory, 'clamd.ctl');
  if (REAL === undefined) {
    clamd = standIn();
    await new Promise<void>((ready) => clamd!.listen(path, ready));
  }
  at = await tryStation({ 'files.scanner': path });
  admin = await at.signIn();
});
afterAll(async () => {
  await at?.stop();
  clamd?.close();
  rmSync(directory, { recursive: true });
});

/** Answers INSTREAM as clamd does. */
function standIn(): Server {
  return createServer((socket) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      if (mood === 'hangs up') return socket.destroy();
      bytes = Buffer.concat([bytes, piece]);
      if (mood === 'takes little' && bytes.length > 100_000) return socket.end('INSTREAM size limit exceeded. ERROR\0');
      const file = fileIn(bytes);
      if (file) socket.end(file.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
    });
  });
}

/** The pieces behind the command; undefined: more are to come. */
function fileIn(bytes: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0';
  if (bytes.subarray(0, command.length).toString() !== command) return undefined;
  const pieces: Buffer[] = [];
  for (let at = command.length; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

async function send(bytes: Uint8Array): Promise<{ status: number; refusal: string | null; text: string }> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
  const headers = { authorization: `Bearer ${admin}` };
  const answered = await fetch(`${at.station.address}/fileload`, { method: 'POST', headers, body: form });
  const refusal = answered.headers.get('waypost-refusal');
  return { status: answered.status, refusal, text: await answered.text() };
}
const stored = () =>
  readdirSync(join(at.directory, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

test('a file that the scanner calls clean is stored, also one of many pieces', async () => {
  expect((await send(pngOf(4, 4))).status).toBe(200);
  expect((await send(new Uint8Array(3_000_000))).status).toBe(200);
  expect(stored()).toHaveLength(2);
});

test('a file with a virus is refused with its name, and nothing of it stays', async () => {
  const before = stored();
  const refused = await send(Buffer.from(EICAR));
  expect([refused.status, refused.refusal]).toEqual([400, 'files.infected']);
  expect(refused.text).toMatch(/The virus scanner found \S*eicar\S* in the file\./i);
  expect(stored()).toEqual(before);
});

test.skipIf(REAL !== undefined)(
  'while the scanner does not answer, or takes no such file, nothing is stored',
  async () => {
    const before = stored();
    for (mood of ['hangs up', 'takes little'] as const) {
      const refused = await send(new Uint8Array(3_000_001));
      expect([mood, refused.status, refused.refusal]).toEqual([mood, 503, 'files.notScanned']);
    }
    await new Promise((closed) => clamd!.close(closed));
    expect((await send(pngOf(5, 5))).refusal).toBe('files.notScanned');
    expect(stored()).toEqual(before);
    const log: { message: string }[] = await at.ok('GET', '/log/app?minLevel=WARN', { as: admin });
    expect(log.filter(({ message }) => message.includes('does not answer')).length).toBeGreaterThan(1);
  },
);
