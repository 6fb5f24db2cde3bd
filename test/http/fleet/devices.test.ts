import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crc16Arc, crc16Ccitt, crc8 } from '../../../server/tracking/telemetry/decoders/checksums.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

let station: TryStation;
let admin: string;
let vehicle: number;
const ports: Record<string, number> = {};

beforeAll(async () => {
  station = await tryStation({ wialonPort: 0, teltonikaPort: 0, egtsPort: 0, osmandPort: 0 });
  admin = await station.signIn();
  vehicle = (
    await station.ask('POST', '/cars', {
      as: admin,
      body: { name: 'Van 1', glonassId: 501, devimei: '356307042441013', devpassword: 'sesame' },
    })
  ).json().id;
  const entries = (await station.ask('GET', '/log/app?logger=telemetry', { as: admin })).json() as {
    message: string;
  }[];
  for (const { message } of entries) {
    const found = /Listening for (\w+) devices on port (\d+)/.exec(message);
    if (found) ports[found[1]!] = Number(found[2]);
  }
});
afterAll(() => station.stop());

const track = async () =>
  (await station.ask('GET', `/cars/${vehicle}/track?from=0&till=9999999999999`, { as: admin })).json() as {
    time: number;
    lat: number;
    speed: number;
  }[];

/** Sends bytes on a connection of its own and waits for an answer of at least so many bytes. */
function say(port: number, bytes: Uint8Array, length: number): Promise<Buffer> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let heard = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.length >= length) socket.end(() => done(heard));
    });
    socket.on('error', failed).on('close', () => done(heard));
  });
}

test('each protocol has its port, and none is open unless it is set', async () => {
  expect(Object.keys(ports).sort()).toEqual(['egts', 'osmand', 'teltonika', 'wialon']);
});

test('a Wialon device logs in with its password, and its record is in the track when it is answered', async () => {
  expect(String(await say(ports['wialon']!, Buffer.from('#L#356307042441013;wrong\r\n'), 8))).toBe('#AL#01\r\n');
  const heard = await say(
    ports['wialon']!,
    Buffer.from('#L#501;sesame\r\n#SD#200926;120000;5544.6025;N;03739.6834;E;36;90;120;9\r\n'),
    15,
  );
  expect(String(heard)).toBe('#AL#1\r\n#ASD#1\r\n');
  expect(await track()).toMatchObject([{ time: Date.UTC(2026, 8, 20, 12), lat: 55.743375, speed: 36 }]);
});

test('a unit that never had a fix sends an emergency without coordinates: it is stored, and raises its alarm', async () => {
  const { id } = (await station.ask('POST', '/cars', { as: admin, body: { name: 'Van 2', glonassId: 502 } })).json();
  const heard = await say(
    ports['wialon']!,
    Buffer.from('#L#502;NA\r\n#D#NA;NA;NA;NA;NA;NA;0;0;0;0;NA;1;0;;NA;SOS:1:1\r\n'),
    14,
  );
  expect(String(heard)).toBe('#AL#1\r\n#AD#1\r\n');
  expect(await station.ok('GET', `/cars/${id}/track?from=0&till=9999999999999`, { as: admin })).toMatchObject([
    { lat: 0, lon: 0, marks: ['satellites', 'unplaced'] },
  ]);
  await eventually(async () =>
    expect(await station.ok('GET', '/alarms', { as: admin })).toMatchObject([
      { priority: 1, carId: id, lat: null, lon: null },
    ]),
  );
  // A phone the same.
  expect((await fetch(`http://127.0.0.1:${ports['osmand']}/?id=502&timestamp=1790000000&batt=50`)).status).toBe(200);
  expect(await station.ok('GET', `/cars/${id}/track?from=0&till=1790000000000`, { as: admin })).toMatchObject([
    { time: 1_790_000_000_000, lat: 0, lon: 0, marks: ['satellites', 'unplaced'] },
  ]);
});

test('a Teltonika device is known by its IMEI', async () => {
  const login = Buffer.concat([Buffer.from('000f', 'hex'), Buffer.from('356307042441013')]);
  const packet = Buffer.from(
    '000000000000003608010000016B40D8EA30010000000000000000000000000000000105021503010101425E0F01F10000601A014E0000000000000000010000C7CF',
    'hex',
  );
  expect([...(await say(ports['teltonika']!, Buffer.concat([login, packet]), 5))]).toEqual([1, 0, 0, 0, 1]);
  expect((await track()).map(({ time }) => time)).toContain(1560161086000);
});

test('a Teltonika packet with an impossible record is acknowledged whole: the good ones are in the track, that one is in the quarantine', async () => {
  const login = Buffer.concat([Buffer.from('000f', 'hex'), Buffer.from('356307042441013')]);
  const after = (stamp: string, lon: string) => `${stamp}00${lon}2114a0c00078010e09003d000000000000`;
  const data = Buffer.from(
    `0803${after('0000016b40d9ea30', 'e9cc19e0')}${after('0000016b40daea30', '6d010e00')}${after('0000016b40dbea30', 'e9cc19e0')}03`,
    'hex',
  );
  const [head, crc] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(data.length, 4);
  crc.writeUInt32BE(crc16Arc(data));
  const packet = Buffer.concat([head, data, crc]);
  // Sent again, nothing is stored twice.
  for (let times = 0; times < 2; times++)
    expect([...(await say(ports['teltonika']!, Buffer.concat([login, packet]), 5))]).toEqual([1, 0, 0, 0, 3]);
  const times = (await track()).map(({ time }) => time);
  expect(times).toEqual(expect.arrayContaining([0x16b40d9ea30, 0x16b40dbea30]));
  expect(times).not.toContain(0x16b40daea30);
  const kept = (await station.ask('GET', '/telemetry/quarantine', { as: admin })).json() as {
    source: string;
    reason: string;
  }[];
  expect(kept.filter(({ source }) => source === 'teltonika').map(({ reason }) => reason)).toEqual([
    'the coordinates 55.5, 182.8785664 are not valid',
  ]);
});

test('a phone sends a position as a query, and as JSON', async () => {
  const ask = (path: string, options?: RequestInit) => fetch(`http://127.0.0.1:${ports['osmand']}${path}`, options);
  expect((await ask('/?id=501&timestamp=1790000000&lat=55.5&lon=37.5&speed=10')).status).toBe(200);
  expect(
    (
      await ask('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          device_id: '501',
          location: { timestamp: '2026-09-21T14:00:00Z', coords: { latitude: 55.6, longitude: 37.6 } },
        }),
      })
    ).status,
  ).toBe(200);
  expect((await track()).map(({ lat }) => lat)).toEqual(expect.arrayContaining([55.5, 55.6]));
  expect((await ask('/?id=999&lat=1&lon=2')).status).toBe(400);
  expect(
    (
      await ask('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ device_id: '999', location: { coords: { latitude: 1, longitude: 2 } } }),
      })
    ).status,
  ).toBe(404);
  for (const path of ['/', '/?id=501&lat=x&lon=1', '/?id=501&timestamp=never', '/%', '/?' + 'a=1&'.repeat(2000)])
    expect((await ask(path)).status, path.slice(0, 40)).toBe(400);
  expect((await ask('/', { method: 'POST', body: 'x'.repeat(300_000) })).status).toBe(413);
  expect((await ask('/', { method: 'DELETE' })).status).toBe(405);
});

test('a clock that is ten minutes ahead: by every way in the record is acknowledged and kept aside with the reason, and the vehicle stays where it is', async () => {
  const time = Math.floor(Date.now() / 1000) * 1000 + 600_000;
  const { id } = (
    await station.ask('POST', '/cars', {
      as: admin,
      body: { name: 'Van 3', glonassId: 503, devimei: '356307042441503' },
    })
  ).json();
  const digits = new Date(time).toISOString().replace(/\D/g, '');
  const stamp = `${digits.slice(6, 8)}${digits.slice(4, 6)}${digits.slice(2, 4)};${digits.slice(8, 14)}`;
  const place = '5544.6025;N;03739.6834;E;36;90;120;9';
  expect(
    String(
      await say(
        ports['wialon']!,
        Buffer.from(`#L#503;NA\r\n#SD#${stamp};${place}\r\n#B#${stamp};${place};1;1;0;;NA;|\r\n`),
        22,
      ),
    ),
  ).toBe('#AL#1\r\n#ASD#1\r\n#AB#1\r\n');
  const data = Buffer.from(
    `0801${time.toString(16).padStart(16, '0')}00e9cc19e02114a0c00078010e09003d00000000000001`,
    'hex',
  );
  const [head, crc] = [Buffer.alloc(8), Buffer.alloc(4)];
  head.writeUInt32BE(data.length, 4);
  crc.writeUInt32BE(crc16Arc(data));
  expect([
    ...(await say(
      ports['teltonika']!,
      Buffer.concat([Buffer.from('000f', 'hex'), Buffer.from('356307042441503'), head, data, crc]),
      5,
    )),
  ]).toEqual([1, 0, 0, 0, 1]);
  const egts = Buffer.from(
    '0100000b002300020001151800020001f701000002021015000000000000aaaaaaaaaaaaaa01000000000000000000000000',
    'hex',
  ).subarray(0, 48);
  egts.writeUInt32LE((time - Date.UTC(2010, 0, 1)) / 1000, 25);
  egts[10] = crc8(egts.subarray(0, 10));
  egts.writeUInt16LE(crc16Ccitt(egts.subarray(11, 46)), 46);
  const answered = await say(ports['egts']!, egts, 29);
  expect([answered[13], answered[26]]).toEqual([0, 0]); // the packet, and its record
  expect(
    (await fetch(`http://127.0.0.1:${ports['osmand']}/?id=503&timestamp=${time / 1000}&lat=55&lon=37`)).status,
  ).toBe(200);
  expect(
    (await station.ask('POST', '/telemetry', { as: admin, body: { glonassId: 503, time, lat: 55, lon: 37 } })).json(),
  ).toMatchObject({ accepted: 0, quarantined: [{ index: 0, reason: expect.stringContaining('clock') }] });
  const kept = (
    (await station.ok('GET', '/telemetry/quarantine', { as: admin })) as {
      source: string;
      device: string;
      reason: string;
    }[]
  ).filter(({ reason }) => /clock of the device is \d+ s ahead/.test(reason));
  expect(kept.map(({ source, device }) => `${source} ${device}`).sort()).toEqual([
    'egts 503',
    'http 503',
    'osmand 503',
    'teltonika 503',
    'wialon 503',
    'wialon 503',
  ]);
  expect(await station.ok('GET', `/cars/${id}/track?from=0&till=9999999999999`, { as: admin })).toEqual([]);
  // An emergency is never kept from the track.
  expect(
    String(await say(ports['wialon']!, Buffer.from(`#L#503;NA\r\n#D#${stamp};${place};1;1;0;;NA;SOS:1:1\r\n`), 14)),
  ).toBe('#AL#1\r\n#AD#1\r\n');
  expect(await station.ok('GET', `/cars/${id}/track?from=0&till=9999999999999`, { as: admin })).toMatchObject([
    { time, marks: ['future'] },
  ]);
  await eventually(async () =>
    expect(await station.ok('GET', `/alarms?cars=${id}`, { as: admin })).toMatchObject([{ priority: 1, carId: id }]),
  );
});

test('what cannot be understood is kept, and can be looked at', async () => {
  await say(ports['wialon']!, Buffer.from('#L#501;sesame\r\n#SD#rubbish\r\n'), 15);
  await say(ports['egts']!, Buffer.from('not egts at all'), 100);
  await eventually(async () => {
    const kept = (await station.ask('GET', '/telemetry/quarantine', { as: admin })).json() as {
      source: string;
      reason: string;
    }[];
    expect(kept.map(({ source }) => source)).toEqual(expect.arrayContaining(['wialon', 'egts', 'osmand']));
  });
});

test('a forged black box under the name of a device fills a thousand entries of the quarantine and no more; the device that gives its password has room of its own', async () => {
  await station.ask('POST', '/cars', {
    as: admin,
    body: { name: 'Van 4', glonassId: 504, devimei: '356307042441504', devpassword: 'sesame' },
  });
  const ofDevice = async (device: string) => {
    const all: { id: number; device: string; raw: string }[] = [];
    for (
      let page = await station.ok('GET', '/telemetry/quarantine?limit=1000', { as: admin });
      page.length > 0;
      page = await station.ok('GET', `/telemetry/quarantine?limit=1000&before=${page.at(-1).id}`, { as: admin })
    )
      all.push(...page);
    return all.filter((entry) => entry.device === device);
  };
  const socket = createSocket('udp4');
  const heard = new Promise<string>((done) => socket.once('message', (bytes) => done(String(bytes))));
  socket.send(
    `356307042441504#B#${Array.from({ length: 1_500 }, (_, i) => `forged ${i}`).join('|')}|\r\n`,
    ports['wialon']!,
    '127.0.0.1',
  );
  expect(await heard).toBe('#AB#0\r\n');
  socket.close();
  expect(await ofDevice('356307042441504')).toHaveLength(1_000);
  expect(String(await say(ports['wialon']!, Buffer.from('#L#356307042441504;sesame\r\n#SD#its own\r\n'), 16))).toBe(
    '#AL#1\r\n#ASD#-1\r\n',
  );
  expect((await ofDevice('356307042441504')).map(({ raw }) => String(Buffer.from(raw, 'base64')))).toContain(
    '#SD#its own',
  );
  // Under another of its names, from the same address, nothing is added.
  const other = createSocket('udp4');
  const answered = new Promise<string>((done) => other.once('message', (bytes) => done(String(bytes))));
  other.send('504#SD#forged\r\n', ports['wialon']!, '127.0.0.1');
  expect(await answered).toBe('#ASD#-1\r\n');
  other.close();
  expect(await ofDevice('504')).toEqual([]);
  expect(await (await fetch(`${station.station.address}/metrics`)).text()).toMatch(/^waypost_quarantine_dropped 501$/m);
});
