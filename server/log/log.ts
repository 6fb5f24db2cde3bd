import { appendFileSync, mkdirSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortened } from '../../shared/text/characters.ts';
import { logFilesIn, listFiles, LogFileParts, readEnd, removeOld } from './files.ts';
import { readBackwards } from './read-backwards.ts';

/** In ascending order of importance; their ids count from 1. */
export const LOG_LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogEntry {
  /**
   * Grows in the order of writing, across restarts and when the clock is set back. Decimal text, since it
   * does not fit the integers of every reader.
   */
  readonly id: string;
  /** epoch ms */
  readonly time: number;
  readonly level: LogLevel;
  /** The part of the program that wrote it. */
  readonly logger: string;
  readonly thread: string;
  readonly message: string;
}

export interface LogFilter {
  /** Case-insensitive part of the message. */
  readonly message?: string | undefined;
  readonly logger?: string | undefined;
  readonly thread?: string | undefined;
  /** Exactly this level. */
  readonly level?: LogLevel | undefined;
  readonly minLevel?: LogLevel | undefined;
  /** Only entries written before the one with this id. */
  readonly before?: string | undefined;
}

/** Writes entries of one part of the program. */
export interface Logger {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** With `error` its stack is logged, too. */
  error(message: string, error?: unknown): void;
}

interface LogOptions {
  readonly directory: string;
  readonly clock?: () => number;
  /** Less important entries are not kept. */
  readonly minLevel?: LogLevel;
  /** Also gets each entry at once. */
  readonly copy?: ((entry: LogEntry) => void) | undefined;
  /** Longest message in characters; a longer one is cut and gets an ellipsis. */
  readonly longest?: number;
}

/** ms that an entry waits for others, to be written together with them. */
const PATIENCE = 200;
/**
 * Bytes that may wait to be written. More are dropped and counted, so that a flood does not fill the memory.
 */
const WAITING = 8 * 1024 * 1024;
/** Log files kept: 30 days, and 200 MB in all. */
const KEPT_MS = 30 * 24 * 3_600_000;
const KEPT_BYTES = 200_000_000;
/** ms between two removals of old files. */
const TIDY_EVERY = 10 * 60_000;
/** Bytes at the end of a file that hold at least one whole line. */
const LAST_LINES = 256 * 1024;

/**
 * The application log of a station: one JSON line for each entry, in files of a day. Logging never waits for
 * the disk. A crash may lose the last entries; a clean end loses none.
 */
export class Log {
  readonly #directory: string;
  readonly #parts: LogFileParts;
  readonly #clock: () => number;
  readonly #least: number;
  readonly #longest: number;
  #waiting: { time: number; line: string }[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #lastId: number;
  #lastTidy = 0;
  #closed = false;
  readonly #namesIn = new Map<string, SourceNames>();
  readonly #copy: ((entry: LogEntry) => void) | undefined;
  readonly #written = Object.fromEntries(LOG_LEVELS.map((level) => [level, 0])) as Record<LogLevel, number>;

  private constructor({ directory, clock = Date.now, minLevel = 'DEBUG', longest = 8_000, copy }: LogOptions) {
    this.#directory = directory;
    this.#parts = new LogFileParts(directory);
    this.#clock = clock;
    this.#least = LOG_LEVELS.indexOf(minLevel);
    this.#longest = longest;
    this.#lastId = lastIdIn(directory);
    this.#copy = copy;
  }

  static open(options: LogOptions): Log {
    mkdirSync(options.directory, { recursive: true });
    return new Log(options);
  }

  /** Entries since the start, by level; those that found no room count too. */
  get written(): Readonly<Record<LogLevel, number>> {
    return this.#written;
  }

  logger(name: string, thread = 'main'): Logger {
    const say = (level: LogLevel) => (message: string) => this.#add(level, name, thread, message);
    return {
      trace: say('TRACE'),
      debug: say('DEBUG'),
      info: say('INFO'),
      warn: say('WARN'),
      error: (message, error) =>
        this.#add('ERROR', name, thread, error === undefined ? message : `${message}\n${stackOf(error)}`),
    };
  }

  /** Matching entries, newest first. */
  async read(filter: LogFilter, limit: number): Promise<LogEntry[]> {
    const found: LogEntry[] = [];
    for await (const entry of this.#entries(filter)) {
      if (found.push(entry) >= limit) break;
    }
    return found;
  }

  async count(filter: LogFilter): Promise<number> {
    let count = 0;
    for await (const _ of this.#entries(filter)) count++;
    return count;
  }

  /** The sources and threads that occur, sorted. Each file is read once for this, the newest each time. */
  async names(of: 'logger' | 'thread'): Promise<string[]> {
    await this.flush();
    const files = await listFiles(this.#directory);
    for (const file of this.#namesIn.keys()) if (!files.includes(file)) this.#namesIn.delete(file);
    const all = new Set<string>();
    for (const file of files) {
      const names = this.#namesIn.get(file) ?? (await namesIn(file));
      if (file !== files.at(-1)) this.#namesIn.set(file, names);
      for (const name of names[of]) all.add(name);
    }
    return [...all].sort();
  }

  /** Resolves when everything logged so far is in its file. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
  }

  /** Writes synchronously, for a process that is about to crash. */
  flushNow(): void {
    for (const [file, text] of this.#byFile(this.#take())) appendFileSync(file, text);
  }

  #add(level: LogLevel, logger: string, thread: string, message: string): void {
    if (this.#closed || LOG_LEVELS.indexOf(level) < this.#least) return;
    const time = this.#clock();
    const entry: LogEntry = {
      id: this.#nextId(time),
      time,
      level,
      logger,
      thread,
      message: shortened(message, this.#longest),
    };
    this.#written[level]++;
    this.#copy?.(entry);
    const line = `${JSON.stringify(entry)}\n`;
    if (this.#waitingBytes + line.length > WAITING) {
      this.#dropped++;
      return;
    }
    this.#waiting.push({ time, line });
    this.#waitingBytes += line.length;
    this.#timer ??= setTimeout(() => this.#write(), PATIENCE).unref();
  }

  /**
   * Microseconds of the clock, but always greater than the last id, also of an earlier run: entries keep
   * their order when the clock is set back.
   */
  #nextId(time: number): string {
    this.#lastId = Math.max(this.#lastId + 1, time * 1000);
    return String(this.#lastId);
  }

  #take(): { time: number; line: string }[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const taken = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    return taken;
  }

  #byFile(taken: readonly { time: number; line: string }[]): Map<string, string> {
    const files = new Map<string, string>();
    for (const { time, line } of taken) {
      const file = this.#parts.take(time, Buffer.byteLength(line));
      files.set(file, (files.get(file) ?? '') + line);
    }
    return files;
  }

  /** Writes one batch at a time. While the disk is busy, entries wait in the queue that is counted. */
  #write(): void {
    // A later write removes old files that this one could not. The log cannot report its own failure.
    this.#writing = this.#writing.then(() => this.#writeWaiting()).catch(() => undefined);
  }

  async #writeWaiting(): Promise<void> {
    const taken = this.#take();
    if (taken.length === 0) return;
    try {
      for (const [file, text] of this.#byFile(taken)) await appendFile(file, text);
    } catch {
      // A full disk must not stop the station. The loss is logged as soon as there is room, in a new file,
      // since this one may end in half a line.
      this.#dropped += taken.length;
      return this.#parts.leave();
    }
    if (this.#dropped > 0) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.#add(
        'WARN',
        'log',
        'main',
        `${dropped} entries could not be kept: they came too fast, or the disk took none.`,
      );
    }
    const now = this.#clock();
    if (now - this.#lastTidy <= TIDY_EVERY) return;
    this.#lastTidy = now;
    await removeOld(this.#directory, now - KEPT_MS, KEPT_BYTES);
  }

  async *#entries(filter: LogFilter): AsyncGenerator<LogEntry> {
    await this.flush();
    const fits = fitting(filter);
    for (const file of (await listFiles(this.#directory)).toReversed()) {
      for await (const line of readBackwards(file)) {
        const entry = parse(line);
        if (entry && fits(entry)) yield entry;
      }
    }
  }
}

type SourceNames = Readonly<Record<'logger' | 'thread', ReadonlySet<string>>>;

async function namesIn(file: string): Promise<SourceNames> {
  const names = { logger: new Set<string>(), thread: new Set<string>() };
  for await (const line of readBackwards(file)) {
    const entry = parse(line);
    if (!entry) continue;
    names.logger.add(entry.logger);
    names.thread.add(entry.thread);
  }
  return names;
}

function fitting({ message, logger, thread, level, minLevel, before }: LogFilter): (entry: LogEntry) => boolean {
  const part = message?.toLowerCase();
  const least = minLevel === undefined ? 0 : LOG_LEVELS.indexOf(minLevel);
  const end = before === undefined ? Infinity : Number(before);
  return (entry) =>
    Number(entry.id) < end &&
    (level === undefined || entry.level === level) &&
    LOG_LEVELS.indexOf(entry.level) >= least &&
    (logger === undefined || entry.logger === logger) &&
    (thread === undefined || entry.thread === thread) &&
    (part === undefined || entry.message.toLowerCase().includes(part));
}

/** The id of the last entry, or 0. */
function lastIdIn(directory: string): number {
  for (const { name } of logFilesIn(directory).toReversed()) {
    const ids = readEnd(join(directory, name), LAST_LINES)
      .split('\n')
      .map((line) => Number(parse(line)?.id))
      .filter(Number.isSafeInteger);
    if (ids.length > 0) return Math.max(...ids);
  }
  return 0;
}

/** Skips a line that a crash cut off. */
function parse(line: string): LogEntry | undefined {
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return undefined;
  }
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
