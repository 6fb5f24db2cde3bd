import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DECODERS, type DecoderName } from '../tracking/telemetry/decoders/index.ts';
import { SETTINGS, type SettingName, type StationConfig } from './settings.ts';

/**
 * Settings that a standby copies from the station that it follows. Its own come first. Never names,
 * addresses, keys or settings with a password (`smtpUrl`).
 */
const FOLLOWED_SETTINGS: readonly string[] = [
  'router.anonymous',
  'router.snapLimit',
  'closures.wideLimit',
  'citizens.user',
  'citizens.types',
  'citizens.perMinute',
  'telemetry.futureLimit',
  'telemetry.quarantineLimit',
  'mailFrom',
  'mailDays',
  'uploadLimit',
  'uploadQuota',
  'http.costPerMinute',
  'signIn.secondFactor',
  'signIn.secondFactorRoles',
  'signIn.codeTolerance',
  'http.tokenInQuery',
  ...DECODERS.map(({ name }) => `${name}Port`),
];
const FOLLOWED_FILE = 'followed.json';

/** The settings of this station that its standby stations take over. */
export function followedSettingsOf(config: StationConfig): Record<string, unknown> {
  return Object.fromEntries(FOLLOWED_SETTINGS.map((name) => [name, sentAs(config[name as SettingName])]));
}

/** Links carry simple values; lists are read from JSON, as in the environment. */
function sentAs(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

/** The settings that a standby has copied. Empty if the file is missing or damaged. */
export function readFollowedSettings(data: string): Record<string, unknown> {
  try {
    return soundFollowedSettings(JSON.parse(readFileSync(join(data, FOLLOWED_FILE), 'utf8')) as object);
  } catch {
    return {};
  }
}

/** Stores what the station that this one follows sent. Returns the names of settings that have changed. */
export function writeFollowedSettings(data: string, sent: object): string[] {
  const before = readFollowedSettings(data);
  const settings = soundFollowedSettings(sent);
  const changed = Object.keys(settings).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(settings[name]),
  );
  if (changed.length === 0) return [];
  const path = join(data, FOLLOWED_FILE);
  writeFileSync(`${path}.part`, `${JSON.stringify(settings, null, 2)}\n`, { flush: true });
  renameSync(`${path}.part`, path);
  return changed;
}

function soundFollowedSettings(sent: object): Record<string, unknown> {
  return Object.fromEntries(
    FOLLOWED_SETTINGS.flatMap((name) => {
      if (!Object.hasOwn(sent, name)) return [];
      const { data, success } = SETTINGS[name as SettingName].schema.safeParse((sent as Record<string, unknown>)[name]);
      return success ? [[name, data]] : [];
    }),
  );
}

/** The ports that are set for devices, by protocol. */
export function devicePorts(config: StationConfig): Record<DecoderName, number | null> {
  // A station that was promoted since its start has those of the one that it replaces.
  const followed = readFollowedSettings(config.data) as Record<string, number | null | undefined>;
  return Object.fromEntries(
    DECODERS.map(({ name }) => [name, config[`${name}Port`] ?? followed[`${name}Port`] ?? null]),
  ) as Record<DecoderName, number | null>;
}
