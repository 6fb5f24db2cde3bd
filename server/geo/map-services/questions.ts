import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import { z } from 'zod';
import type { Table } from '../routing/index.ts';

/** Requests to map services, as named in subjects. */
export const QUESTIONS = [
  'route',
  'nearest',
  'table',
  'writtenTable',
  'durations',
  'trip',
  'match',
  'geocode',
  'reverse',
  'tile',
] as const;
export type MapQuestion = (typeof QUESTIONS)[number];

/** In place of the digest of closures: the answer is the same under all. */
export const ANY_CONDITIONS = 'any';

const KIND = 'Waypost-Answer';
/** JSON has no infinity: the limits that may have none hold this word. */
const ENDLESS = 'endless';
const MAY_BE_ENDLESS: ReadonlySet<string> = new Set(['snapLimit', 'radius']);

/** The most points of a question. */
const MOST_POINTS = 20_000;
const Point = z.looseObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) });
const Points = z.array(Point).max(MOST_POINTS);
const Request = z.looseObject({ profile: z.string().optional() });
const Form = z.looseObject({});

/** Arguments of each question. */
const ARGUMENTS: Record<MapQuestion, z.ZodType<readonly unknown[]>> = {
  route: z.tuple([Request.extend({ points: Points })]),
  nearest: z.tuple([Point, Request]),
  table: z.tuple([Request.extend({ sources: Points, targets: Points })]),
  writtenTable: z.tuple([Request.extend({ sources: Points, targets: Points }), Form]),
  durations: z.tuple([Request.extend({ sources: Points, targets: Points }), Form]),
  trip: z.tuple([Request.extend({ points: Points }), Form]),
  match: z.tuple([Request.extend({ points: Points }), Form]),
  geocode: z.tuple([z.looseObject({ query: z.string().max(1_000), limit: z.int().min(1).max(100) })]),
  reverse: z.tuple([Point, z.string().nullable()]),
  tile: z.tuple([z.int().min(0).max(30), z.int().min(0), z.int().min(0)]),
};

export function packQuestion(args: readonly unknown[]): Uint8Array {
  return Buffer.from(
    JSON.stringify(args, (key, value: unknown) => (value === Infinity && MAY_BE_ENDLESS.has(key) ? ENDLESS : value)),
  );
}

/** Throws what is no such question. */
export function unpackQuestion(question: MapQuestion, bytes: Uint8Array): readonly unknown[] {
  const args: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'), (key, value: unknown) =>
    value === ENDLESS && MAY_BE_ENDLESS.has(key) ? Infinity : value,
  );
  return ARGUMENTS[question].parse(args);
}

export interface PackedAnswer {
  readonly headers: MsgHdrs;
  readonly bytes: Uint8Array;
}

export function packAnswer(answer: unknown): PackedAnswer {
  if (answer === undefined) return ofKind('nothing', new Uint8Array());
  if (answer instanceof Uint8Array) return ofKind('bytes', answer);
  if (isTable(answer)) return ofKind('table', packTable(answer));
  return ofKind('json', Buffer.from(JSON.stringify(answer)));
}

/** The service took the question and did not answer it: its asker does. */
export function packRefusal(): PackedAnswer {
  return ofKind('refused', new Uint8Array());
}

/** undefined: the service refused. Throws what is no answer. */
export function unpackAnswer({
  headers: packed,
  data,
}: Pick<Msg, 'headers' | 'data'>): { answer: unknown } | undefined {
  switch (packed?.get(KIND)) {
    case 'nothing':
      return { answer: undefined };
    case 'bytes':
      return { answer: new Uint8Array(data) };
    case 'table':
      return { answer: unpackTable(data) };
    case 'json':
      return { answer: JSON.parse(Buffer.from(data).toString('utf8')) as unknown };
    case 'refused':
      return undefined;
    default:
      throw new Error('A map service gave an answer of an unknown kind.');
  }
}

function ofKind(kind: string, bytes: Uint8Array): PackedAnswer {
  const packed = headers();
  packed.set(KIND, kind);
  return { headers: packed, bytes };
}

function isTable(answer: unknown): answer is Table {
  return typeof answer === 'object' && answer !== null && 'times' in answer && answer.times instanceof Int32Array;
}

/** Length of the JSON, the JSON, then times and distances. */
function packTable({ times, distances, ...rest }: Table): Uint8Array {
  const json = Buffer.from(JSON.stringify({ ...rest, cells: times.length, metres: distances.length }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, bytesOf(times), bytesOf(distances)]);
}

function unpackTable(data: Uint8Array): Table {
  const bytes = Buffer.from(data);
  const end = 4 + bytes.readUInt32LE(0);
  const { cells, metres, ...rest } = JSON.parse(bytes.toString('utf8', 4, end)) as Omit<Table, 'times'> & {
    cells: number;
    metres: number;
  };
  const numbers = new Int32Array(new Uint8Array(bytes.subarray(end)).buffer);
  if (numbers.length !== cells + metres) throw new Error('A map service gave a table of a wrong length.');
  return { ...rest, times: numbers.slice(0, cells), distances: numbers.slice(cells) };
}

function bytesOf(numbers: Int32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
