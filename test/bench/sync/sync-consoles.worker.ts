/**
 * Consoles that connect at once, on a thread of their own: each opens its socket, fills its replica and follows all
 * vehicles. Answers are read only as far as a console needs to ask on; its pages would be parsed on other machines.
 */
import { Agent, request } from 'undici';
import { parentPort } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { followMessages } from '../../../shared/live-limits.ts';

export interface ConsolesOrder {
  readonly address: string;
  readonly tokens: readonly string[];
  readonly consoles: number;
  /** glonassIds 1 to this; 0: they follow none. */
  readonly vehicles: number;
}

export interface ConsolesTimes {
  /** ms until each was current: the replica is complete, and all positions are there. */
  readonly current: readonly number[];
  /** The same until the replica was complete. */
  readonly filled: readonly number[];
  readonly bytes: number;
}

const COLLECTIONS = ['directories', 'accounts', 'fleet', 'vehicles', 'alarms', 'messages', 'comments'];
const PAGE = 1_000;

parentPort!.on('message', (order: ConsolesOrder) => void open(order).then((times) => parentPort!.postMessage(times)));

async function open(order: ConsolesOrder): Promise<ConsolesTimes> {
  const began = performance.now();
  const consoles = await Promise.all(
    Array.from({ length: order.consoles }, (_, at) => connect(order, order.tokens[at % order.tokens.length]!, began)),
  );
  return {
    current: consoles.map(({ current }) => current),
    filled: consoles.map(({ filled }) => filled),
    bytes: consoles.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

async function connect({ address, vehicles }: ConsolesOrder, token: string, began: number) {
  // As browsers do: six connections.
  const dispatcher = new Agent({ connections: 6 });
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws?token=${token}`);
  let bytes = 0;
  let positions = 0;
  let placed = () => {};
  const allPlaced = new Promise<void>((resolve) => (placed = resolve));
  if (vehicles === 0) placed();
  const opened = new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.on('message', (data: Buffer) => {
    bytes += data.length;
    if (!data.subarray(0, 30).includes('CAR_UPDATES')) return;
    for (let at = data.indexOf('"glonassId"'); at >= 0; at = data.indexOf('"glonassId"', at + 1)) positions++;
    if (positions >= vehicles) placed();
  });
  await opened;
  socket.send(JSON.stringify({ command: 'SET_REPLICA', data: { collections: COLLECTIONS } }));
  const fill = async (collection: string): Promise<void> => {
    let after = '0';
    let epoch = '';
    if (collection === 'vehicles') {
      const answer = await request(`${address}/replica/vehicles/fill`, {
        dispatcher,
        headers: { 'authorization': `Bearer ${token}`, 'accept-encoding': 'identity' },
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      if (answer.statusCode !== 200) throw new Error(`fill: ${answer.statusCode}`);
      bytes += (await answer.body.arrayBuffer()).byteLength;
      after = String(answer.headers['waypost-checkpoint']);
      epoch = String(answer.headers['waypost-epoch']);
    }
    for (let more = true; more;) {
      const answer = await request(
        `${address}/replica/${collection}?after=${after}&limit=${PAGE}${epoch && `&epoch=${epoch}`}`,
        {
          dispatcher,
          headers: { 'authorization': `Bearer ${token}`, 'accept-encoding': 'identity' },
          headersTimeout: 0,
          bodyTimeout: 0,
        },
      );
      if (answer.statusCode !== 200) throw new Error(`${collection}: ${answer.statusCode}`);
      const page = Buffer.from(await answer.body.arrayBuffer());
      bytes += page.length;
      epoch = /"epoch":"([^"]+)"/.exec(page.subarray(0, 200).toString())![1]!;
      const end = page.subarray(-200).toString();
      after = /"checkpoint":"([^"]+)"/.exec(end)![1]!;
      more = end.includes('"more":true');
    }
  };
  await Promise.all(COLLECTIONS.map(fill));
  const filled = performance.now() - began;
  for (const { command, data } of followMessages(Array.from({ length: vehicles }, (_, at) => at + 1)))
    socket.send(JSON.stringify({ command, data }));
  await allPlaced;
  const current = performance.now() - began;
  socket.terminate();
  await dispatcher.destroy();
  return { filled, current, bytes };
}
