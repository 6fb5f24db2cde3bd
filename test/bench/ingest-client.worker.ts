/** Devices and gateways that send as fast as they are answered, on a thread of their own, so that the station's event loop has only its own work. */
import { connect } from 'node:net';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export interface IngestOrder {
  readonly way: 'http' | 'wialon-single' | 'wialon-blackbox';
  readonly address: string;
  readonly token: string;
  readonly wialonPort: number;
  /** Unit numbers. */
  readonly devices: readonly number[];
  /** Records of each device, one a second from `begin` on. */
  readonly records: number;
  readonly begin: number;
}

const order = workerData as IngestOrder;
const at = (device: number, second: number) => ({ lat: 47 + (device % 1000) / 5000 + second / 20_000, lon: 9.5 + second / 50_000 });

async function overHttp(): Promise<void> {
  const agent = new Agent({ connections: 8, pipelining: 1 });
  const posts: object[][] = [];
  for (let second = 0; second < order.records; second++) {
    for (let first = 0; first < order.devices.length; first += 500) {
      posts.push(order.devices.slice(first, first + 500).map((device) => ({ glonassId: device, time: order.begin + second * 1000, ...at(device, second), speed: 42, direction: 80, height: 430, gpsCount: 9, params: { unit_status: 3 } })));
    }
  }
  const bodies = posts.map((post) => JSON.stringify(post));
  await ready();
  // In the order of time: what comes late is another benchmark.
  let next = 0;
  await Promise.all(Array.from({ length: 8 }, async () => {
    while (next < bodies.length) {
      const answer = await request(`${order.address}/telemetry`, { method: 'POST', dispatcher: agent, headers: { 'authorization': `Bearer ${order.token}`, 'content-type': 'application/json' }, body: bodies[next++]! });
      const { accepted } = (await answer.body.json()) as { accepted: number };
      if (answer.statusCode !== 200 || accepted !== 500) throw new Error(`${answer.statusCode}: ${accepted} accepted`);
    }
  }));
  await agent.close();
}

const degrees = (value: number, digits: number) => `${String(Math.floor(value)).padStart(digits, '0')}${((value % 1) * 60).toFixed(4).padStart(7, '0')}`;
function wialonFields(device: number, second: number): string {
  const { lat, lon } = at(device, second);
  const [date, time] = new Date(order.begin + second * 1000).toISOString().split('T') as [string, string];
  return `${date.slice(8, 10)}${date.slice(5, 7)}${date.slice(2, 4)};${time.slice(0, 8).replaceAll(':', '')};${degrees(lat, 2)};N;${degrees(lon, 3)};E;42;80;430;9;1.1;0;0;;NA;unit_status:1:3`;
}

async function overWialon(perPacket: number): Promise<void> {
  const packets = new Map(order.devices.map((device) => {
    const own: string[] = [];
    for (let second = 0; second < order.records; second += perPacket) {
      const records = Array.from({ length: Math.min(perPacket, order.records - second) }, (_, index) => wialonFields(device, second + index));
      own.push(perPacket === 1 ? `#D#${records[0]}\r\n` : `#B#${records.join('|')}|\r\n`);
    }
    return [device, own];
  }));
  await ready();
  await Promise.all(order.devices.map((device) => new Promise<void>((done, failed) => {
    const own = packets.get(device)!;
    let sent = 0;
    const socket = connect(order.wialonPort, '127.0.0.1', () => socket.write(`#L#${device};NA\r\n`));
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString();
      if (!text.endsWith('\r\n')) return;
      const refused = text.split('\r\n').find((line) => line !== '' && !/^#AL#1$|^#AD#1$|^#AB#[1-9]\d*$/.test(line));
      if (refused) return failed(new Error(`The station said ${refused}.`));
      text = '';
      if (sent < own.length) socket.write(own[sent++]!);
      else {
        socket.end();
        done();
      }
    });
    socket.on('error', failed);
  })));
}

/** The processor's time (µs) that sending took: it is not the station's. */
let used = process.threadCpuUsage();
/** Everything is ready to be sent: the station is measured from here on. */
async function ready(): Promise<void> {
  parentPort!.postMessage('ready');
  await new Promise((go) => parentPort!.once('message', go));
  used = process.threadCpuUsage();
}

await (order.way === 'http' ? overHttp() : overWialon(order.way === 'wialon-single' ? 1 : 100));
const { user, system } = process.threadCpuUsage(used);
parentPort!.postMessage({ used: user + system });
