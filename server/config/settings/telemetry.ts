import { z } from 'zod';
import { DECODERS, type DecoderName } from '../../telemetry/decoders/index.ts';
import { setting, type Setting } from '../setting.ts';
import { portOrOff } from '../values.ts';

type DevicePortSettings = { [Name in DecoderName as `${Name}Port`]: Setting<typeof portOrOff> };

/** One setting for each protocol of devices, such as `wialonPort`; all are off by default. */
function devicePortSettings(): DevicePortSettings {
  return Object.fromEntries(
    DECODERS.map(({ name, devices }) => [
      `${name}Port`,
      setting({
        schema: portOrOff,
        default: null,
        environment: `WAYPOST_${name.toUpperCase()}_PORT`,
        reason: `Port for ${devices}. Off.`,
      }),
    ]),
  ) as DevicePortSettings;
}

/** Devices and their records. */
export const TELEMETRY_SETTINGS = {
  ...devicePortSettings(),
  'telemetry.futureLimit': setting({
    schema: z.int().min(0).max(86_400),
    default: 300,
    environment: 'WAYPOST_FUTURE_LIMIT',
    reason:
      'Seconds that the clock of a device may be ahead. Records of a clock further ahead are kept aside in the quarantine: believed, they would freeze their vehicle until then.',
  }),
  'telemetry.quarantineLimit': setting({
    schema: z.int().min(1).max(100_000),
    default: 1_000,
    environment: 'WAYPOST_QUARANTINE_LIMIT',
    reason:
      'Entries that the quarantine takes of one device from one address within an hour: more than a broken device sends, and too few to push out those of others.',
  }),
} as const;
