import { readMicE, readPosition, type AprsPosition } from './aprs-position.ts';
import { record, type Decoder, type Item } from './decoder.ts';
import { LineConversation } from './line-conversation.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A station with its number, or the name of an object. */
const SOURCE = /^[A-Za-z0-9]{1,9}(-[A-Za-z0-9]{1,2})?$/;
/** Packets in packets, as gateways wrap those of others. */
const DEEPEST = 3;

/**
 * APRS over APRS-IS (http://www.aprs-is.net/Connecting.aspx): lines of text, each a packet. Vehicles are known by the
 * call sign of the station or by the name of an object. A gateway that logs in is answered as a server of APRS-IS does.
 */
export const aprs: Decoder<'aprs'> = {
  name: 'aprs',
  transport: 'tcp',
  devices: 'gateways of APRS that connect as to a server of APRS-IS (14580)',
  passwords: false,
  isFeed: true,
  converse,
  reread: (raw, now) => converse(now).pushAll(raw),
};

function converse(now: () => number): LineConversation {
  return new LineConversation('a packet', (line) => {
    if (line === '' || line.startsWith('#')) return [];
    const [, call] = /^user\s+(\S{1,20})(?:\s|$)/i.exec(line) ?? [];
    return call === undefined ? readPacket(line, now()) : [loggedIn(call)];
  });
}

function loggedIn(call: string): Item {
  const greeting = `# logresp ${call} verified, server WAYPOST\r\n`;
  return { kind: 'ping', answer: () => Buffer.from(greeting, 'latin1') };
}

function readPacket(line: string, now: number, depth = 0): Item[] {
  const [, source = '', destination = '', text = ''] = /^([^>]{1,12})>([^,:]{1,12})[^:]{0,200}:(.*)$/s.exec(line) ?? [];
  if (!SOURCE.test(source)) return [wrong('not a packet of APRS', line)];
  // The packet of another station, as a gateway passes it on.
  if (text.startsWith('}')) return depth < DEEPEST ? readPacket(text.slice(1), now, depth + 1) : [];
  const report = reportOf(source, destination, text, now);
  if (report === 'wrong') return [wrong('the position of a packet is not valid', line)];
  return report ? [positionOf(report)] : [];
}

interface Report {
  readonly device: string;
  readonly time: number;
  readonly position: AprsPosition;
}

/** Undefined: a packet without a position, such as a message or a status. */
function reportOf(source: string, destination: string, text: string, now: number): Report | 'wrong' | undefined {
  const at = (position: AprsPosition | undefined, time = now, device = source): Report | 'wrong' =>
    position ? { device, time, position } : 'wrong';
  switch (text[0]) {
    case '!':
    case '=':
      return at(readPosition(text.slice(1)));
    case '/':
    case '@':
      return at(readPosition(text.slice(8)), timeOf(text.slice(1, 8), now));
    case '`':
    case "'":
      return at(readMicE(destination, text.slice(1)));
    case ';': {
      const [, name = '', state, clock = '', rest = ''] = /^;(.{9})([*_])(.{7})(.*)$/s.exec(text) ?? [];
      if (state === '_') return undefined;
      return at(readPosition(rest), timeOf(clock, now), name.trim());
    }
    case ')': {
      const [, name = '', state, rest = ''] = /^\)([^!_]{3,9})([!_])(.*)$/s.exec(text) ?? [];
      if (state === '_') return undefined;
      return at(readPosition(rest), now, name.trim());
    }
    default:
      return undefined;
  }
}

function positionOf({ device, time, position }: Report): Item {
  const { lat, lon, speed, direction, height, symbol } = position;
  return {
    kind: 'records',
    device,
    records: [record({ time, position: { lat, lon }, speed, direction, height, params: { aprs_symbol: symbol } })],
    faults: [],
    answer: () => undefined,
  };
}

/**
 * `DDHHMMz`, `DDHHMM/` (in a zone that nobody names) and `HHMMSSh`: the nearest such time that is not far ahead.
 * An invalid time becomes the time of the packet.
 */
function timeOf(text: string, now: number): number {
  const [, one, two, three, kind] = /^(\d\d)(\d\d)(\d\d)([z/h])$/.exec(text) ?? [];
  const [a, b, c] = [one, two, three].map(Number) as [number, number, number];
  const today = new Date(now);
  if (kind === 'h' && a < 24 && b < 60 && c < 60)
    return latest(now, (days) =>
      Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - days, a, b, c),
    );
  if (kind === 'z' && a >= 1 && a <= 31 && b < 24 && c < 60)
    return latest(now, (months) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, a, b, c));
  return now;
}

/** Of today or this month, else of the one before. */
function latest(now: number, timeBack: (steps: number) => number): number {
  const time = timeBack(0);
  return time <= now + HOUR ? time : timeBack(1) < now - 32 * DAY ? now : timeBack(1);
}

function wrong(reason: string, line: string): Item {
  return { kind: 'fault', fault: { reason, raw: Buffer.from(line, 'latin1') }, answer: () => undefined };
}
