import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../../../shared/refusal.ts';
import { Mutex } from '../../platform/mutex.ts';

/** Bytes of JSON parsed at once. Even 64 KiB of empty objects take only a few ms. */
const SLICE = 64 * 1024;
/** Bytes of consecutive list entries parsed at once: one by one they would take twice the time. */
const MAX_RUN = 8 * 1024;
/** ms of parsing before yielding to the event loop. */
const SLICE_BUDGET = 3;
/** Deepest accepted nesting. No request of the interface comes near it, so later code may recurse. */
const MAX_DEPTH = 64;
/** The same for lists and objects longer than a slice; scans each of their levels once more. */
const MAX_LONG_DEPTH = 16;

/** Longest text in a long body, in bytes. */
const MAX_TEXT = 1024 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('",:\\[]{}') as unknown as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Parses one long body at a time, so that several together take no more of each event-loop turn than one. */
const longBodies = new Mutex();

/**
 * `JSON.parse` for UTF-8 bytes in time slices: long lists and objects are parsed some entries at a time, so
 * that the event loop never waits long. Throws a `Refusal` when the body is not JSON, is nested too deeply,
 * or holds a text of over 1 MiB, which cannot be cut.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  const [from, till] = trimmed(bytes, hasByteOrderMark(bytes) ? 3 : 0, bytes.length);
  if (till - from <= SLICE) return parseSlice(bytes.toString('utf8', from, till), MAX_DEPTH);
  return longBodies.run(async () => {
    const steps = parseLong(bytes, from, till, 0);
    for (;;) {
      const began = performance.now();
      do {
        const step = steps.next();
        if (step.done) return step.value;
      } while (performance.now() - began < SLICE_BUDGET);
      await nextTurn();
    }
  });
}

type Steps<Result> = Generator<undefined, Result>;

/**
 * Yields after each time-consuming step. @param from, till the bounds of the value without white space around
 * it
 */
function* parseLong(bytes: Buffer, from: number, till: number, depth: number): Steps<unknown> {
  if (depth > MAX_LONG_DEPTH) throw tooDeep();
  const [first, last] = [bytes[from], bytes[till - 1]];
  if (first === LIST && last === LIST_END) return yield* parseList(bytes, from + 1, till - 1, depth + 1);
  if (first === OBJECT && last === OBJECT_END) return yield* parseObject(bytes, from + 1, till - 1, depth + 1);
  return parseSlice(bytes.toString('utf8', from, till), MAX_DEPTH - depth);
}

function* parseList(bytes: Buffer, from: number, till: number, depth: number): Steps<unknown[]> {
  const list: unknown[] = [];
  for (const run of runsOf(bytes, from, till)) {
    if (run?.long) list.push(yield* parseLong(bytes, ...trimmed(bytes, run.from, run.till), depth));
    else if (run) {
      const entries = parseSlice(`[${bytes.toString('utf8', run.from, run.till)}]`, MAX_DEPTH - depth + 1) as unknown[];
      if (entries.length === 0 && !run.alone) throw notJson();
      for (const entry of entries) list.push(entry);
    }
    yield;
  }
  return list;
}

function* parseObject(bytes: Buffer, from: number, till: number, depth: number): Steps<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  for (const run of runsOf(bytes, from, till)) {
    if (run?.long) {
      const [nameFrom] = trimmed(bytes, run.from, run.till);
      if (bytes[nameFrom] !== QUOTE) throw notJson();
      const nameTill = closingQuote(bytes, nameFrom, run.till) + 1;
      const [colon] = trimmed(bytes, nameTill, run.till);
      if (bytes[colon] !== COLON) throw notJson();
      const name = parseSlice(bytes.toString('utf8', nameFrom, nameTill), 0) as string;
      setOwn(object, name, yield* parseLong(bytes, ...trimmed(bytes, colon + 1, run.till), depth));
    } else if (run) {
      const members = Object.entries(
        parseSlice(`{${bytes.toString('utf8', run.from, run.till)}}`, MAX_DEPTH - depth + 1) as object,
      );
      if (members.length === 0 && !run.alone) throw notJson();
      for (const [name, value] of members) setOwn(object, name, value);
    }
    yield;
  }
  return object;
}

/** Consecutive entries of a list, or members of an object. */
interface Run {
  readonly from: number;
  readonly till: number;
  /** A single entry longer than a slice. */
  readonly long: boolean;
  /** It has no comma before or after it, so it may be empty. */
  readonly alone: boolean;
}

/** Splits the content of a list or object at its own commas. Yields undefined after each scanned slice. */
function* runsOf(bytes: Buffer, from: number, till: number): Generator<Run | undefined> {
  let run = from;
  let entry = from;
  let looked = from;
  let open = 0;
  for (let at = from; at <= till; at++) {
    const byte = at === till ? COMMA : bytes[at];
    if (byte === QUOTE) at = closingQuote(bytes, at, till);
    else if (byte === LIST || byte === OBJECT) open++;
    else if (byte === LIST_END || byte === OBJECT_END) {
      if (--open < 0) throw notJson();
    } else if (byte === COMMA && open === 0) {
      const long = at - entry > SLICE;
      if (long && entry > run) yield { from: run, till: entry - 1, long: false, alone: false };
      if (long) run = entry;
      if (long || at - run > MAX_RUN || at === till) {
        yield { from: run, till: at, long, alone: run === from && at === till };
        run = at + 1;
      }
      entry = at + 1;
    }
    if (at - looked > SLICE) {
      looked = at;
      yield;
    }
  }
  if (open > 0) throw notJson();
}

/** @returns the index of the closing quote */
function closingQuote(bytes: Buffer, quote: number, till: number): number {
  const longest = Math.min(till, quote + MAX_TEXT);
  for (let at = quote + 1; at < longest; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  throw longest < till ? new Refusal('request.textTooLong') : notJson();
}

function parseSlice(json: string, depth: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw notJson();
  }
  if (deeperThan(value, depth)) throw tooDeep();
  return value;
}

function deeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let d = 0; level.length > 0; d++) {
    if (d > depth) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null
        ? Object.values(item).filter((part) => typeof part === 'object' && part !== null)
        : [],
    );
  }
  return false;
}

/** Sets a member of any name, `__proto__` too, as `JSON.parse` does. */
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

/** Without the white space at both ends. */
function trimmed(bytes: Buffer, from: number, till: number): [from: number, till: number] {
  while (from < till && isSpace(bytes[from]!)) from++;
  while (till > from && isSpace(bytes[till - 1]!)) till--;
  return [from, till];
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The byte order mark of UTF-8. */
function hasByteOrderMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function notJson(): Refusal {
  return new Refusal('request.bodyNotJson');
}

function tooDeep(): Refusal {
  return new Refusal('request.bodyNested');
}
