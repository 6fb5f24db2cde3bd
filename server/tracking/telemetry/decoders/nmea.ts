import { readAis } from './ais.ts';
import { record, type Decoder, type Item } from './decoder.ts';
import { LineConversation } from './line-conversation.ts';

const MAX_LINES = 100;
const KNOT = 1.852;
const MINUTE = 60_000;
/** Epoch ms of 2100. */
const LATEST = 4_102_444_800_000;

/**
 * NMEA 0183 over TCP and UDP: AIS (`!AIVDM`, by the MMSI of the vessel) and `RMC` of a source that its tag block names.
 * Nothing is answered. Sentences of vessels that no vehicle has are normal, and forgotten.
 */
export const nmea: Decoder<'nmea'> = {
  name: 'nmea',
  transport: 'tcp',
  devices: 'receivers of AIS and NMEA 0183 (they expect 10110)',
  passwords: false,
  isFeed: true,
  converse,
  reread: (raw, now) => converse(now).pushAll(raw),
  datagram(bytes, now) {
    const lines = Buffer.from(bytes)
      .toString('latin1')
      .split('\n', MAX_LINES + 2);
    if (lines.length > MAX_LINES + 1)
      return { device: undefined, items: [fault(`more than ${MAX_LINES} sentences in one datagram`, bytes)] };
    return { device: undefined, items: converse(now).pushAll(bytes) };
  },
};

function converse(now: () => number): LineConversation {
  return new LineConversation('a sentence', (line) => {
    const sentence = line.trim();
    return sentence === '' ? [] : readLine(sentence, now());
  });
}

/** A sentence after its tag block, both with their check sums. */
const LINE = /^(?:\\(?<tags>[^\\]{1,200})\\)?(?<start>[!$])(?<body>[^*!$\\]{5,200})\*(?<sum>[0-9A-Fa-f]{2})$/;

function readLine(line: string, now: number): Item[] {
  const wrong = (reason: string): Item[] => [fault(reason, Buffer.from(line, 'latin1'))];
  const { tags = '', start, body = '', sum = '' } = LINE.exec(line)?.groups ?? {};
  if (start === undefined) return wrong('not a sentence of NMEA');
  if (sumOf(body) !== Number.parseInt(sum, 16)) return wrong('the check sum is wrong');
  const tagged = readTags(tags);
  if (!tagged) return wrong('the check sum of the tag block is wrong');
  const fields = body.split(',');
  const read = start === '!' ? aisRecord(fields, tagged.time, now) : rmcRecord(fields, tagged.source);
  return typeof read === 'string' ? wrong(read) : read ? [read] : [];
}

/** The exclusive or of all characters. */
function sumOf(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum ^= text.charCodeAt(at);
  return sum;
}

interface Tags {
  readonly source: string | undefined;
  /** Epoch ms. */
  readonly time: number | undefined;
}

/** `s:SOURCE,c:TIME*SUM`. */
function readTags(text: string): Tags | undefined {
  if (text === '') return { source: undefined, time: undefined };
  const [fields = '', sum = ''] = text.split('*');
  if (!/^[0-9A-Fa-f]{2}$/.test(sum) || sumOf(fields) !== Number.parseInt(sum, 16)) return undefined;
  const values = new Map(fields.split(',').map((field) => [field.slice(0, 2), field.slice(2)]));
  const time = Number(values.get('c:') ?? NaN);
  return {
    source: values.get('s:') || undefined,
    // Some write seconds, others milliseconds.
    time: Number.isSafeInteger(time) && time > 0 && time < LATEST ? (time < 1e11 ? time * 1000 : time) : undefined,
  };
}

function aisRecord(fields: readonly string[], tagged: number | undefined, now: number): Item | string | undefined {
  const [name = '', total, number, , , payload = '', fill = ''] = fields;
  if (!/^(AI|AB|AD|AN|AR|AS|AT|AX|BS|SA)VD[MO]$/.test(name)) return undefined;
  if (!/^[1-9]$/.test(total ?? '') || !/^[1-9]$/.test(number ?? ''))
    return 'the parts of an AIS message are not counted';
  // All positions are in the first part.
  if (number !== '1') return undefined;
  if (!/^[0-W`-w]+$/.test(payload) || !/^[0-5]$/.test(fill)) return 'the payload of an AIS message is not six-bit text';
  const report = readAis(payload, Number(fill));
  if (report === undefined || typeof report === 'string') return report;
  const { mmsi, position, speed, direction, height, second, status } = report;
  return {
    kind: 'records',
    device: mmsi,
    records: [
      record({
        time: timeAt(second, tagged ?? now),
        position,
        speed: speed === undefined ? undefined : kmhOf(speed),
        direction,
        height,
        params: status === undefined ? {} : { navigation_status: status },
      }),
    ],
    faults: [],
    answer: () => undefined,
  };
}

/** The time with this second of the minute that is nearest to when the message was received. */
function timeAt(second: number | undefined, received: number): number {
  if (second === undefined) return received;
  const time = received - (received % MINUTE) + second * 1000;
  return time > received + MINUTE / 2 ? time - MINUTE : time < received - MINUTE / 2 ? time + MINUTE : time;
}

function rmcRecord(fields: readonly string[], source: string | undefined): Item | string | undefined {
  const [name = '', clock = '', valid, lat = '', north, lon = '', east, knots = '', course = '', date = ''] = fields;
  if (!/^[A-Z]{2}RMC$/.test(name)) return undefined;
  if (source === undefined) return 'no tag block names the source of a position';
  const time = timeOfRmc(date, clock);
  if (time === undefined) return 'the time of a position is not valid';
  const position = placeOfRmc(`${lat}${north}`, `${lon}${east}`);
  if (valid === 'A' && !position) return 'the coordinates of a position are not valid';
  return {
    kind: 'records',
    device: source,
    records: [
      record({
        time,
        position: valid === 'A' ? position : undefined,
        speed: knots === '' ? undefined : kmhOf(Number(knots)),
        direction: directionOf(course),
      }),
    ],
    faults: [],
    answer: () => undefined,
  };
}

function timeOfRmc(date: string, clock: string): number | undefined {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d\d)$/.exec(date) ?? [];
  const [, hours, minutes, seconds] = /^(\d\d)(\d\d)(\d\d(?:\.\d{1,6})?)$/.exec(clock) ?? [];
  if (year === undefined || seconds === undefined) return undefined;
  const time = Date.UTC(2000 + Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes));
  return Math.round(time + Number(seconds) * 1000);
}

/** `DDMM.mmN` and `DDDMM.mmE` as degrees. */
function placeOfRmc(lat: string, lon: string): { lat: number; lon: number } | undefined {
  const [, south, latMinutes, ns] = /^(\d\d)(\d\d(?:\.\d+)?)([NS])$/.exec(lat) ?? [];
  const [, west, lonMinutes, ew] = /^(\d{3})(\d\d(?:\.\d+)?)([EW])$/.exec(lon) ?? [];
  if (ns === undefined || ew === undefined) return undefined;
  const place = {
    lat: degreesOf(south, latMinutes) * (ns === 'S' ? -1 : 1),
    lon: degreesOf(west, lonMinutes) * (ew === 'W' ? -1 : 1),
  };
  return Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180 ? place : undefined;
}

function degreesOf(degrees: string | undefined, minutes: string | undefined): number {
  return Math.round((Number(degrees) + Number(minutes) / 60) * 1e7) / 1e7;
}

function directionOf(course: string): number | undefined {
  return /^\d{1,3}(\.\d+)?$/.test(course) && Number(course) <= 360 ? Number(course) : undefined;
}

function kmhOf(knots: number): number | undefined {
  return Number.isFinite(knots) && knots >= 0 ? Math.round(knots * KNOT * 1000) / 1000 : undefined;
}

function fault(reason: string, raw: Uint8Array): Item {
  return { kind: 'fault', fault: { reason, raw }, answer: () => undefined };
}
