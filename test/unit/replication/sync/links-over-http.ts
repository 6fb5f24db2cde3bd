import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { migrate } from '../../../../server/store/migrations/index.ts';
import type { Store } from '../../../../server/store/index.ts';
import { Links, linkWire, SOCKET_PATH } from '../../../../server/replication/sync/index.ts';
import type { ConnectionTimings } from '../../../../server/replication/sync/links/connection/connection.ts';
import { DEFAULT_SETTINGS } from '../../../../server/replication/sync/links/link-table.ts';

/** The links of a station without its other rooms: plain tables in memory, and the four paths between stations. */
export interface BareStation {
  readonly links: Links;
  readonly address: string;
  /** Added to the clock, in ms. */
  clockError: number;
  readonly log: string[];
  /** Whether its disk takes nothing. */
  isDiskFull: boolean;
  /** Requests of the WebSocket so far. */
  dials: number;
}

export async function bareStation(
  number: number,
  { version = '1.0.0', timings = {} }: { version?: string; timings?: Partial<ConnectionTimings> } = {},
): Promise<BareStation> {
  const sql = new DatabaseSync(':memory:');
  migrate(sql);
  sql.prepare('INSERT INTO station (id, number, epoch) VALUES (?, ?, ?)').run(`station${number}`, number, 'first');
  const store = {
    stationId: `station${number}`,
    stationNumber: number,
    sql,
    writePlain: async (work: (connection: DatabaseSync) => unknown) => {
      if (station.isDiskFull) throw new Error('The disk is full.');
      return work(sql);
    },
    feed: { epoch: 'first' },
  } as unknown as Store;
  const log: string[] = [];
  const station: { -readonly [Name in keyof BareStation]: BareStation[Name] } = {
    links: undefined as never,
    address: '',
    clockError: 0,
    log,
    isDiskFull: false,
    dials: 0,
  };
  const note = (message: string) => void log.push(message);
  station.links = await Links.open({
    store,
    name: `Station ${number}`,
    version,
    timings,
    now: () => Date.now() + station.clockError,
    ids: { of: () => ({}), skip: async () => undefined },
    log: { info: note, warn: note, error: (message, error) => note(`${message} ${String(error)}`) },
  });
  const server = serverOf(station.links, () => station.dials++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  station.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  station.links.start({ host: '127.0.0.1', plain: station.address, secure: undefined, discovers: false });
  onTestFinished(async () => {
    await station.links.close();
    server.closeAllConnections();
    server.close();
  });
  return station;
}

export async function pairStations(
  from: BareStation,
  to: BareStation,
  ownAddress?: string | null,
  address = to.address,
): Promise<void> {
  const { code } = to.links.showCode(DEFAULT_SETTINGS);
  await from.links.pair({ address, code, ownAddress, settings: DEFAULT_SETTINGS });
}

function serverOf(links: Links, dialled: () => void): Server {
  const server = createServer((request, response) => {
    const answer = async (): Promise<unknown> => {
      const body: unknown = JSON.parse((await text(request)) || '{}');
      if (request.url === '/links/challenges') return { challenge: links.challenge() };
      if (request.url === '/links/pairings') return links.beginPairing(linkWire.PairingQuestion.parse(body), request);
      return links.finishPairing(linkWire.PairingProof.parse(body), request);
    };
    answer().then(
      (body) => response.end(JSON.stringify(body)),
      (error: Error) => response.writeHead(400).end(error.message),
    );
  });
  server.on('upgrade', (request, socket, head) => {
    dialled();
    if (request.url === SOCKET_PATH) links.upgrade(request, socket, head);
    else socket.destroy();
  });
  return server;
}
