import { REFUSALS } from './catalogue.ts';
import type { RefusalKind } from './kinds.ts';

type RefusalCatalogue = typeof REFUSALS;
type CodesOf<Room extends keyof RefusalCatalogue> = `${Room}.${keyof RefusalCatalogue[Room] & string}`;

/** Room and name of a refusal: `tasks.missing`. A part of the interface; a code never changes its meaning. */
export type RefusalCode = { [Room in keyof RefusalCatalogue]: CodesOf<Room> }[keyof RefusalCatalogue];

/**
 * Content of a placeholder: a text, a number, or another reason. `{fault}` is also a sentence, of an older
 * program.
 */
export type RefusalParam = string | number | Reason;
export type RefusalParams = Readonly<Record<string, RefusalParam>>;

/** Why something is refused, as it travels between threads, stations and consoles. */
export interface Reason {
  readonly code: RefusalCode;
  readonly params: RefusalParams;
}

type TextOf<Code extends RefusalCode> = Code extends `${infer Room extends keyof RefusalCatalogue}.${infer Name}`
  ? RefusalCatalogue[Room] extends Readonly<Record<Name, { readonly text: infer Text extends string }>>
    ? Text
    : never
  : never;
type PlaceholdersOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;

/** The parameters of a code: one for each placeholder of its text. */
export type ParamsOf<Code extends RefusalCode> = {
  readonly [Name in PlaceholdersOf<TextOf<Code>>]: Name extends 'fault' ? string | Reason : string | number;
};

/** Codes that need no parameter but an id. */
export type CodeWithId = {
  [Code in RefusalCode]: keyof ParamsOf<Code> extends 'id' ? Code : never;
}[RefusalCode];

/** The parameters as an argument, which a text without placeholders does not need. */
export type ParamsArgument<Code extends RefusalCode> = [PlaceholdersOf<TextOf<Code>>] extends [never]
  ? readonly [params?: Readonly<Record<never, never>>]
  : readonly [params: ParamsOf<Code>];

/** A reason for `{fault}` of another one. */
export function reason<Code extends RefusalCode>(code: Code, ...[params]: ParamsArgument<Code>): Reason {
  return { code, params: plain(params ?? {}) };
}

/** The entry of a code; undefined: a newer program made it. */
export function refusalEntry(code: string): { readonly kind: RefusalKind; readonly text: string } | undefined {
  const [room = '', name = ''] = code.split('.');
  const entries: Readonly<Record<string, Readonly<Record<string, { kind: RefusalKind; text: string }>>>> = REFUSALS;
  return Object.hasOwn(entries, room) && Object.hasOwn(entries[room]!, name) ? entries[room]![name] : undefined;
}

/** The English sentence of a reason. */
export function sentenceOf({ code, params }: Reason): string {
  return refusalEntry(code)!.text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]!;
    return typeof value === 'object' ? sentenceOf(value) : String(value);
  });
}

/**
 * Reads a reason that another program sent. Undefined unless it has a known code and all of its parameters, at
 * most four levels deep.
 */
export function readReason(value: unknown, depth = 0): Reason | undefined {
  if (typeof value !== 'object' || value === null || depth > 4) return undefined;
  const { code, params } = value as { readonly code?: unknown; readonly params?: unknown };
  const entry = typeof code === 'string' ? refusalEntry(code) : undefined;
  if (!entry || typeof params !== 'object' || params === null) return undefined;
  const read: Record<string, RefusalParam> = {};
  for (const [, name] of entry.text.matchAll(/\{(\w+)\}/g)) {
    const given = Object.hasOwn(params, name!) ? (params as Record<string, unknown>)[name!] : undefined;
    const param = typeof given === 'string' || typeof given === 'number' ? given : readReason(given, depth + 1);
    if (param === undefined) return undefined;
    read[name!] = param;
  }
  return { code: code as RefusalCode, params: read };
}

/** Without what else an object carries: a `Refusal` as a parameter keeps its code and parameters only. */
export function plain(params: Readonly<Record<string, RefusalParam>>): RefusalParams {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'object' ? { code: value.code, params: plain(value.params) } : value,
    ]),
  );
}
