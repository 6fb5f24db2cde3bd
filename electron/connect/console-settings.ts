import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { LANGUAGES, type Language } from '../../shared/text/language.ts';
import { addressesOf } from './addresses.ts';
import { readFingerprint } from '../fingerprint.ts';

/** Which station the windows show: the one of this program, or a control room's. */
export type Choice =
  | { readonly kind: 'here' }
  | {
      readonly kind: 'station';
      readonly address: string;
      readonly name?: string | undefined;
      /** Set by an administrator: no other certificate is accepted. */
      readonly fingerprint?: string | undefined;
    };

/** A `console.json` that an administrator distributes. */
export interface ConsoleFile {
  readonly address: string;
  readonly fingerprint?: string | undefined;
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
  /** True: nobody chooses another station on this machine. */
  readonly fixed?: boolean | undefined;
}

/** A `console.json` that cannot be used. `message` says what is wrong with it, for its author. */
export class WrongConsoleFile extends Error {
  override readonly name = 'WrongConsoleFile';
  readonly file: string;

  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}

const ConsoleFileSchema = z.strictObject({
  address: z.string().refine((address) => Array.isArray(addressesOf(address)), {
    error: 'must be the https address of a station',
  }),
  fingerprint: z
    .string()
    .refine((text) => readFingerprint(text) !== undefined, { error: 'must be a SHA-256 fingerprint' })
    .transform((text) => readFingerprint(text)!)
    .optional(),
  name: z.string().min(1).max(100).optional(),
  language: z.enum(LANGUAGES).optional(),
  fixed: z.boolean().optional(),
});

/** Reads a `console.json`. Undefined if there is no file. Throws WrongConsoleFile. */
export function readConsoleFile(file: string): ConsoleFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new WrongConsoleFile(file, message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, '')); // Windows' own editor writes a byte order mark
  } catch {
    throw new WrongConsoleFile(file, 'It is not valid JSON.');
  }
  const { data, error } = ConsoleFileSchema.safeParse(value);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  throw new WrongConsoleFile(file, path.length > 0 ? `${path.join('.')}: ${message}` : message);
}

/** A person's choices that this program remembers. */
interface Remembered {
  readonly choice?: Choice;
  /** Confirmed fingerprints by address. */
  readonly pins: Readonly<Record<string, string>>;
  /** The version of each station, by address, that a person opened although it differs from the program's. */
  readonly versions: Readonly<Record<string, string>>;
}

const RememberedSchema = z.object({
  choice: z
    .union([
      z.object({ kind: z.literal('here') }),
      z.object({ kind: z.literal('station'), address: z.string(), name: z.string().optional() }),
    ])
    .optional()
    .catch(undefined),
  pins: z.record(z.string(), z.string()).catch({}),
  versions: z.record(z.string(), z.string()).catch({}),
});

/** Keeps the choice and the confirmed fingerprints of one user in a file. A damaged file counts as none. */
export class ConnectionMemory {
  readonly #file: string;
  #now: Remembered;

  constructor(file: string) {
    this.#file = file;
    this.#now = read(file);
  }

  get choice(): Choice | undefined {
    return this.#now.choice;
  }

  pinOf(address: string): string | undefined {
    return this.#now.pins[address];
  }

  versionOf(address: string): string | undefined {
    return this.#now.versions[address];
  }

  /** Throws when the file cannot be written: a fingerprint that is asked for again would be confirmed unread. */
  choose(choice: Choice): void {
    const kept: Choice =
      choice.kind === 'here' ? choice : { kind: 'station', address: choice.address, name: choice.name };
    this.#write({ ...this.#now, choice: kept });
  }

  pin(address: string, fingerprint: string): void {
    this.#write({ ...this.#now, pins: { ...this.#now.pins, [address]: fingerprint } });
  }

  acceptVersion(address: string, version: string): void {
    this.#write({ ...this.#now, versions: { ...this.#now.versions, [address]: version } });
  }

  #write(next: Remembered): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, JSON.stringify(next, null, 2), { flush: true });
    renameSync(`${this.#file}.new`, this.#file);
    this.#now = next;
  }
}

function read(file: string): Remembered {
  try {
    const found = RememberedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { pins: found.pins, versions: found.versions, ...(found.choice && { choice: found.choice }) };
  } catch {
    return { pins: {}, versions: {} };
  }
}

/** Choices from before the start of the program, in order of rank. */
interface Wishes {
  readonly words: readonly string[];
  readonly memory: ConnectionMemory;
  /** The machine's `console.json`, then the user's. */
  readonly files: readonly (string | undefined)[];
  /** This program has run a station before. */
  readonly hasData: boolean;
}

export interface FirstChoice {
  /** Undefined: a person is asked. */
  readonly choice: Choice | undefined;
  readonly mayChoose: boolean;
  readonly language: ConsoleFile['language'];
}

/**
 * Which station to open: `--connect`, or the one here if other arguments ask for it; else a fixed
 * `console.json` of the machine; else the person's last choice; else the `console.json` of the user or the
 * machine; else the one here if it has data. Throws WrongConsoleFile.
 */
export function firstChoice({ words, memory, files, hasData }: Wishes): FirstChoice {
  const given = connectWords(words);
  const [ofMachine, ofUser] = files.map((file) => (file === undefined ? undefined : readConsoleFile(file)));
  const language = ofUser?.language ?? ofMachine?.language;
  if (given) return { choice: { kind: 'station', ...given }, mayChoose: true, language };
  if (stationWords(words).length > 0) return { choice: { kind: 'here' }, mayChoose: true, language };
  if (ofMachine?.fixed) return { choice: ofFile(ofMachine), mayChoose: false, language };
  const file = ofUser ?? ofMachine;
  const before: Choice | undefined = hasData ? { kind: 'here' } : undefined;
  return { choice: memory.choice ?? (file ? ofFile(file) : before), mayChoose: true, language };
}

function ofFile({ address, fingerprint, name }: ConsoleFile): Choice {
  return { kind: 'station', address, fingerprint, name };
}

/** `--connect URL` and `--fingerprint SHA-256` of the command line. */
function connectWords(words: readonly string[]): { address: string; fingerprint?: string } | undefined {
  const address = valueOf('--connect', words);
  if (address === undefined) return undefined;
  const text = valueOf('--fingerprint', words);
  const fingerprint = text === undefined ? undefined : readFingerprint(text);
  if (text !== undefined && fingerprint === undefined)
    throw new WrongConsoleFile('--fingerprint', 'It must be a SHA-256 fingerprint.');
  return { address, ...(fingerprint !== undefined && { fingerprint }) };
}

function valueOf(flag: string, words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return words[at]!.includes('=') ? words[at]!.slice(flag.length + 1) : words[at + 1];
}

/** Chromium's own, which a person or a desktop adds. Other words that nobody knows are refused. */
const OF_CHROMIUM = /^--(no-sandbox|(enable|disable|force|ozone|gtk|use|log|password-store|user-data-dir|lang)\b.*)$/;

/** The words that are for the station of this program. */
export function stationWords(words: readonly string[]): string[] {
  return words.filter((word, i) => !isConnectWord(word, words[i - 1]) && !OF_CHROMIUM.test(word));
}

/** The words of the next start, after a person has chosen another station. */
export function withoutConnectWords(words: readonly string[]): string[] {
  return words.filter((word, i) => !isConnectWord(word, words[i - 1]));
}

function isConnectWord(word: string, before = ''): boolean {
  return /^--(connect|fingerprint)(=|$)/.test(word) || /^--(connect|fingerprint)$/.test(before);
}
