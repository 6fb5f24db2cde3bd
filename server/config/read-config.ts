import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { readFollowedSettings } from './followed-settings.ts';
import { InvalidSetting } from './invalid-setting.ts';
import type { Setting } from './setting.ts';
import { SETTINGS, type SettingValues, type StationConfig } from './settings.ts';

/**
 * Reads the settings from the words of the command line, the environment and `station.json`. Throws
 * InvalidSetting.
 */
export function readConfig(words: readonly string[], environment: NodeJS.ProcessEnv): StationConfig {
  const flags = readFlags(words);
  const data = resolve(String(flags['data'] ?? environment['WAYPOST_DATA'] ?? SETTINGS.data.default));
  const file = readFile(join(data, 'station.json'));
  const followed = readFollowedSettings(data);
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries<Setting<z.ZodType>>(SETTINGS)) {
    const { flag, environment: variable, schema } = definition;
    const fromVariable = variable ? fromEnvironment(variable, environment) : undefined;
    if (flag !== undefined && flags[flag] !== undefined)
      values[name] = check(
        `--${flag}`,
        schema,
        typeof flags[flag] === 'string' ? fromText(flags[flag], schema) : flags[flag],
      );
    else if (variable !== undefined && fromVariable !== undefined && fromVariable !== '')
      values[name] = check(variable, schema, fromText(fromVariable, schema));
    else if (Object.hasOwn(file, name)) values[name] = check(`${name} in station.json`, schema, file[name]);
    else values[name] = Object.hasOwn(followed, name) ? followed[name] : definition.default;
  }
  if ((values['tls.certificate'] === null) !== (values['tls.key'] === null))
    throw new InvalidSetting('tls.certificate and tls.key are set together, or neither.');
  if (values['acme.name'] !== null && values['tls.certificate'] !== null)
    throw new InvalidSetting('acme.name has a certificate made: set it or tls.certificate, not both.');
  if (values['serve.role'] === 'consoles') requireRegion(values as SettingValues);
  return { ...(values as SettingValues), data };
}

function requireRegion(values: SettingValues): void {
  if (values['nats.servers'].length === 0)
    throw new InvalidSetting('A console server copies the records of a region: set nats.servers.');
  if (values['consoles.stations'].length === 0)
    throw new InvalidSetting('A console server sends changes to stations: set consoles.stations.');
  if (values.demo) throw new InvalidSetting('A console server has no demo: start a station with it.');
}

function readFlags(words: readonly string[]): Record<string, string | boolean | undefined> {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { flag, plain } of Object.values<Setting<z.ZodType>>(SETTINGS))
    if (flag) options[flag] = { type: plain ? 'boolean' : 'string' };
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values as Record<
      string,
      string | boolean | undefined
    >;
  } catch (error) {
    throw new InvalidSetting(`${(error as Error).message.split('. ')[0]}. See --help.`);
  }
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR')
      return {};
    throw new InvalidSetting(`${path} cannot be read: ${(error as Error).message}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidSetting(`${path} is not valid JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidSetting(`${path} must hold one JSON object.`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(SETTINGS, name));
  if (unknown !== undefined) throw new InvalidSetting(`${path} names a setting that does not exist: ${unknown}.`);
  return value as Record<string, unknown>;
}

/**
 * The value of a variable. A vault hands secrets over as files: `NAME_FILE` names one, and systemd puts its
 * credentials into a folder. So a secret stands in no file of the station and in no environment.
 */
function fromEnvironment(variable: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[variable] || undefined;
  const named = environment[`${variable}_FILE`] || undefined;
  if (value !== undefined && named !== undefined)
    throw new InvalidSetting(`Set ${variable} or ${variable}_FILE, not both.`);
  if (value !== undefined) return value;
  const folder = environment['CREDENTIALS_DIRECTORY'] || undefined;
  const credential = folder === undefined ? undefined : join(folder, variable);
  const path = named ?? (credential !== undefined && existsSync(credential) ? credential : undefined);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new InvalidSetting(`The file of ${variable} cannot be read: ${(error as Error).message}`);
  }
}

/** Flags and variables are text; the schema decides which type they become. */
function fromText(text: string, schema: z.ZodType): unknown {
  if (text === 'off' && schema.safeParse(null).success) return null;
  if (schema.safeParse(text).success) return text;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  return text;
}

function check(name: string, schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (error) throw new InvalidSetting(`${name} is ${JSON.stringify(value)}: ${error.issues[0]!.message}.`);
  return data;
}
