import type { z } from 'zod';
import { CITIZEN_SETTINGS } from './settings/citizens.ts';
import { FILE_SETTINGS } from './settings/files.ts';
import { FIRST_START_SETTINGS } from './settings/first-start.ts';
import { INTERFACE_SETTINGS } from './settings/interface.ts';
import { MAIL_SETTINGS } from './settings/mail.ts';
import { MAINTENANCE_SETTINGS } from './settings/maintenance.ts';
import { PROVIDER_SETTINGS } from './settings/providers.ts';
import { ROUTING_SETTINGS } from './settings/routing.ts';
import { SIGN_IN_SETTINGS } from './settings/sign-in.ts';
import { STATION_SETTINGS } from './settings/stations.ts';
import { TELEMETRY_SETTINGS } from './settings/telemetry.ts';

/**
 * Every setting of a station, read once. Flags come first, then the environment, then `station.json` in the
 * data directory (by the names on the left), then the default.
 */
export const SETTINGS = {
  ...INTERFACE_SETTINGS,
  ...ROUTING_SETTINGS,
  ...CITIZEN_SETTINGS,
  ...STATION_SETTINGS,
  ...FIRST_START_SETTINGS,
  ...TELEMETRY_SETTINGS,
  ...MAIL_SETTINGS,
  ...FILE_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...PROVIDER_SETTINGS,
  ...MAINTENANCE_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = { [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** All settings of one station, checked. */
export interface StationConfig extends Readonly<SettingValues> {
  /** The console's built pages; missing in a checkout that was not built. */
  readonly pages?: string;
}
