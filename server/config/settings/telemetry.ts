import { z } from 'zod';
import { DECODERS, type DecoderName } from '../../tracking/telemetry/decoders/index.ts';
import { setting, type Setting } from '../setting.ts';
import { list, portOrOff } from '../values.ts';

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
        reason: `Port for ${devices}. Default: off.`,
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
      'Seconds that the clock of a device may be ahead. Records further ahead go to the quarantine: accepted, they would freeze their vehicle until then.',
  }),
  'telemetry.quarantineLimit': setting({
    schema: z.int().min(1).max(100_000),
    default: 1_000,
    environment: 'WAYPOST_QUARANTINE_LIMIT',
    reason:
      'Entries of one device and address that the quarantine accepts per hour: more than a broken device sends, and too few to displace others.',
  }),
  'historian.url': setting({
    schema: z
      .url({
        protocol: /^postgres(ql)?$/,
        message: 'must be an address such as postgres://waypost:secret@db.example/waypost',
      })
      .max(2000)
      .nullable(),
    default: null,
    environment: 'WAYPOST_HISTORIAN_URL',
    reason:
      'PostgreSQL database to which the tracks of old months are moved, with user and password. If not set: all months stay in files of this station.',
  }),
  'historian.keepMonths': setting({
    schema: z.int().min(1).max(1200),
    default: 3,
    environment: 'WAYPOST_HISTORIAN_KEEP_MONTHS',
    reason:
      'Whole months, besides the current one, whose tracks stay in files of this station: late records are accepted for these.',
  }),
  'aprs.url': setting({
    schema: z
      .url({ protocol: /^aprs$/, message: 'must be an address such as aprs://AB1CD:12345@rotate.aprs2.net:14580' })
      .max(2000)
      .refine((url) => /^[A-Za-z0-9-]{3,9}$/.test(new URL(url).username), 'must have a call sign before the @')
      .nullable(),
    default: null,
    environment: 'WAYPOST_APRS_URL',
    reason: 'APRS-IS server that sends positions, with call sign and pass code. Default: none.',
  }),
  'aprs.filter': setting({
    schema: z
      .string()
      .max(400)
      .regex(/^[ -~]*$/, 'must be printable ASCII'),
    default: '',
    environment: 'WAYPOST_APRS_FILTER',
    reason:
      'Filter for the packets that it sends, such as `b/AB1CD-*` (those stations) or `r/47.1/9.5/50` (within 50 km). Its own.',
  }),
  'traccar.url': setting({
    schema: z
      .url({ protocol: /^https?$/, message: 'must be an address such as https://traccar.example' })
      .max(2000)
      .nullable(),
    default: null,
    environment: 'WAYPOST_TRACCAR_URL',
    reason: 'Traccar server that gets the commands to trackers whose positions it forwards. Default: none.',
  }),
  'traccar.token': setting({
    schema: z
      .string()
      .max(4096)
      .regex(/^[!-~]*$/, 'must be printable ASCII without spaces'),
    default: '',
    environment: 'WAYPOST_TRACCAR_TOKEN',
    reason: 'Token of a user of Traccar who may send commands to these devices.',
  }),
  'mqtt.url': setting({
    schema: z
      .url({ protocol: /^(mqtts?|wss?)$/, message: 'must be an address such as mqtts://station:secret@broker.example' })
      .max(2000)
      .nullable(),
    default: null,
    environment: 'WAYPOST_MQTT_URL',
    reason:
      'MQTT broker that sends positions: of OwnTracks, of Traccar (forward.type mqtt), of Meshtastic (JSON). Default: none.',
  }),
  'mqtt.topics': setting({
    schema: list.refine((topics) => topics.length > 0, 'must name a topic'),
    default: ['owntracks/+/+', 'msh/+/2/json/+/+'],
    environment: 'WAYPOST_MQTT_TOPICS',
    reason: 'Topics to follow there, with wildcards: those of OwnTracks and Meshtastic.',
  }),
  'mqtt.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_MQTT_AUTHORITY',
    reason: 'PEM file of the authority that signed the certificate of the broker. Default: the well-known authorities.',
  }),
} as const;
