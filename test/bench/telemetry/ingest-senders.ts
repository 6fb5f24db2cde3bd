/**
 * Devices and gateways that send as fast as they are answered, as a process of their own: neither their time
 * nor their memory is the station's.
 */
import { connect } from 'node:net';
import process from 'node:process';
import { Agent, request } from 'undici';

export interface IngestOrder {
  readonly over: 'http' | 'wialon';
  readonly address: string;
  readonly token: string;
  readonly wialonPort: number;
  /** Records in a post or a black box; 1 when they are sent one by one. */
  readonly atOnce: number;
  /** Unit numbers. */
  readonly devices: readonly number[];
  /** Records of each device, one a second from `begin` on. */
  readonly records: number;
  readonly begin: number;
}

const at = (device: number, second: number) => ({
  lat: 47 + (device % 1000) / 5000 + second / 20_000,
  lon: 9.5 + second / 50_000,
});

async function overHttp(order: IngestOrder): Promise<void> {
  const agent = new Agent({ connections: 8, pipelining: 1 });
  const posts: object[][] = [];
  for (let second = 0; second < order.records; second++) {
    for (let first = 0; first < order.devices.length; first += order.atOnce) {
      posts.push(
        order.devices.slice(first, first + order.atOnce).map((device) => ({
          glonassId: device,
          time: order.begin + second * 1000,
          ...at(device, second),
          speed: 42,
          direction: 80,
          height: 430,
          gpsCount: 9,
          params: { unit_status: 3 },
        })),
      );
    }
  }
  const bodies = posts.map((post) => ({ records: post.length, bytes: Buffer.from(JSON.stringify(post)) }));
  await ready();
  // In the order of time: what comes late is another benchmark.
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < bodies.length) {
        const { records, bytes } = bodies[next++]!;
        const answer = await request(`${order.address}/telemetry`, {
          method: 'POST',
          dispatcher: agent,
          headers: { 'authorization': `Bearer ${order.token}`, 'content-type': 'application/json' },
          body: bytes,
        });
        const { accepted } = (await answer.body.json()) as { accepted: number };
        if (answer.statusCode !== 200 || accepted !== records)
          throw new Error(`${answer.statusCode}: ${accepted} accepted`);
      }
    }),
  );
  await agent.close();
}

const degrees = (value: number, digits: number) =>
  `${String(Math.floor(value)).padStart(digits, '0')}${((value % 1) * 60).toFixed(4).padStart(7, '0')}`;
function wialonFields(device: number, second: number, begin: number): string {
  const { lat, lon } = at(device, second);
  const [date, time] = new Date(begin + second * 1000).toISOString().split('T') as [string, string];
  return `${date.slice(8, 10)}${date.slice(5, 7)}${date.slice(2, 4)};${time.slice(0, 8).replaceAll(':', '')};${degrees(lat, 2)};N;${degrees(lon, 3)};E;42;80;430;9;1.1;0;0;;NA;unit_status:1:3`;
}

/** A packet, and what it must be answered with. */
interface Packet {
  readonly bytes: Buffer;
  readonly answer: Buffer;
}

function packetsOf(device: number, { records, begin, atOnce }: IngestOrder): Packet[] {
  const packets: Packet[] = [{ bytes: Buffer.from(`#L#${device};NA\r\n`), answer: Buffer.from('#AL#1\r\n') }];
  for (let second = 0; second < records; second += atOnce) {
    const fields = Array.from({ length: Math.min(atOnce, records - second) }, (_, index) =>
      wialonFields(device, second + index, begin),
    );
    packets.push({
      bytes: Buffer.from(atOnce === 1 ? `#D#${fields[0]}\r\n` : `#B#${fields.join('|')}|\r\n`),
      answer: Buffer.from(atOnce === 1 ? '#AD#1\r\n' : `#AB#${fields.length}\r\n`),
    });
  }
  return packets;
}

/** Every device is connected and logged in; then all begin. */
async function overWialon(order: IngestOrder): Promise<void> {
  const starts = await Promise.all(
    order.devices.map(
      (device) =>
        new Promise<() => Promise<void>>((loggedIn, failed) => {
          const packets = packetsOf(device, order);
          const all = Promise.withResolvers<void>();
          let sent = 0;
          let came = Buffer.alloc(0);
          const socket = connect({ port: order.wialonPort, host: '127.0.0.1', noDelay: true }, () =>
            socket.write(packets[0]!.bytes),
          );
          socket.on('data', (bytes) => {
            came = came.length === 0 ? bytes : Buffer.concat([came, bytes]);
            const { answer } = packets[sent]!;
            if (came.length < answer.length) return;
            if (!came.equals(answer))
              return socket.destroy(new Error(`The station said ${came.toString()} and not ${answer.toString()}.`));
            came = Buffer.alloc(0);
            if (sent++ === 0) return loggedIn(() => (socket.write(packets[1]!.bytes), all.promise));
            if (sent < packets.length) return void socket.write(packets[sent]!.bytes);
            all.resolve();
            socket.end();
          });
          socket.on('error', (error) => (failed(error), all.reject(error)));
        }),
    ),
  );
  await ready();
  await Promise.all(starts.map((start) => start()));
}

/** Everything is ready to be sent: the station is measured from here on. */
async function ready(): Promise<void> {
  const go = new Promise((begin) => process.once('message', begin));
  process.send!('ready');
  await go;
}

process.once('message', (order: IngestOrder) => {
  void (order.over === 'http' ? overHttp(order) : overWialon(order)).then(() =>
    process.send!('done', () => process.disconnect()),
  );
});
