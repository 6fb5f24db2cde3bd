import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpDecoder, PositionReport, PositionRequest } from '../decoders/decoder.ts';
import type { DeviceGateway, Listener } from './tcp-listener.ts';
import { senderAt, type Sender } from '../quarantine/quarantine-quota.ts';
import { completeRecord } from '../decoders/reread.ts';
import { countStored } from '../ingest/ingest-result.ts';

const LONGEST_BODY = 256 * 1024;

interface DeviceResponse {
  status: number;
  text: string;
}

/** Listens for devices that send one position per request. Answers 200 once the position is on disk. */
export async function listenForRequests(
  decoder: HttpDecoder,
  gateway: DeviceGateway,
  at: { host: string; port: number },
): Promise<Listener> {
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 60_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      answer(request, decoder, gateway).then(
        ({ status, text }) => send(response, status, text),
        () => send(response, 503, 'The position could not be stored. Send it again.'),
      );
    },
  );
  server.maxConnections = 20_000;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(at.port, at.host, () => {
      server.off('error', failed);
      done();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, decoder: HttpDecoder, gateway: DeviceGateway): Promise<DeviceResponse> {
  if (request.method !== 'GET' && request.method !== 'POST') return { status: 405, text: 'GET or POST.' };
  const body = request.method === 'POST' ? await read(request) : '';
  if (body === undefined) return { status: 413, text: 'The body is too large.' };
  const json = /json/.test(request.headers['content-type'] ?? '') || body.trimStart().startsWith('{');
  const sender = senderAt(request.socket.remoteAddress ?? '');
  const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
  const position: PositionRequest = json
    ? { kind: 'json', body: parsed(body) }
    : { kind: 'form', form: formOf(query, new URLSearchParams(body)) };
  const report = decoder.decode(position, gateway.now());
  if (typeof report === 'string') {
    // An empty request comes from a browser or a probe. There is nothing to keep.
    if (body !== '' || query.size > 0)
      await gateway.quarantine(
        [{ reason: report, raw: Buffer.from(body || String(query)) }],
        decoder.name,
        decoder.deviceIn(query),
        sender,
      );
    return { status: 400, text: report };
  }
  return await store(report, decoder.name, gateway, json, sender);
}

async function store(
  { device, record }: PositionReport,
  source: string,
  gateway: DeviceGateway,
  json: boolean,
  sender: Sender,
): Promise<DeviceResponse> {
  const vehicle = gateway.find(device);
  if (!vehicle) {
    gateway.unknown(device);
    return { status: json ? 404 : 400, text: `No vehicle has the device ${device.slice(0, 50)}.` };
  }
  const taken = await gateway.ingest([completeRecord(record, vehicle.glonassId, gateway.now())], source, sender);
  return countStored(taken) > 0 ? { status: 200, text: '' } : { status: 429, text: taken.quarantined[0]!.reason };
}

/** Undefined if it is too large, or incomplete. */
async function read(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > LONGEST_BODY) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function formOf(...parts: URLSearchParams[]): Record<string, string | string[]> {
  const form = new Map<string, string | string[]>();
  for (const part of parts) {
    for (const [name, value] of part) {
      const known = form.get(name);
      form.set(name, known === undefined ? value : [...(typeof known === 'string' ? [known] : known), value]);
    }
  }
  return Object.fromEntries(form);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
