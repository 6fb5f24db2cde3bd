import { z } from 'zod';
import { LAST_STATION } from '../../../../../shared/ids.ts';
import type { LinkSettings } from '../../types.ts';

const text = (most: number) => z.string().min(1).max(most);
const count = z.record(z.string().max(100), z.int().min(0));

export const TracksField = z
  .union([z.enum(['none', 'last', 'all']), z.object({ days: z.int().min(1).max(3650) })])
  .meta({
    description:
      'Positions of vehicles that a link carries: none; the last ones; the tracks of so many last days, as `{days: 30}`; or all tracks. Limits of both sides act in both directions: the lesser holds',
  });

export const SettingsFields = z.object({
  paused: z.boolean(),
  readOnly: z.boolean(),
  organizations: z.array(z.int().min(0)).max(10_000).nullable(),
  tracks: TracksField,
  /** Older programs do not tell it. */
  standby: z.boolean().default(false),
});

const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER).default(0);
/** Which of the two stations leads. `follows`: the name of the station of which the teller is a standby. */
export const LeadershipFields = z.object({
  promotedAt: time,
  settledAt: time,
  follows: z.string().max(200).default(''),
});

/** A copy whose arrays may be changed, as schemas demand. */
export function sentSettings(settings: LinkSettings): z.output<typeof SettingsFields> {
  return { ...settings, organizations: settings.organizations && [...settings.organizations] };
}

export const PairedStationFields = z.object({
  id: text(40),
  number: z.int().min(0).max(LAST_STATION),
  name: text(200),
  publicKey: text(200),
  fingerprint: z.string().max(200),
});

export const nonce = z.string().min(20).max(100);

export const PairingQuestion = z.object({ nonce, id: text(40), number: z.int().min(0).max(LAST_STATION) });
export const PairingOffer = z.object({
  pairing: text(100),
  nonce,
  station: PairedStationFields,
  /** Only when the number that was asked with is taken: one that is free. */
  free: z.int().min(0).max(LAST_STATION).nullable().optional(),
});
export const PairingProof = z.object({
  pairing: text(100),
  station: PairedStationFields,
  address: text(300).nullable(),
  seen: z.string().max(200),
  settings: SettingsFields,
  proof: text(100),
});
export const PairingAnswer = z.object({ settings: SettingsFields, proof: text(100) });

export const ChallengeAnswer = z.object({ challenge: text(100) });

/** Sent when a side of a link has changed. */
export const SettingsChanged = SettingsFields.extend({
  leadership: LeadershipFields.default({ promotedAt: 0, settledAt: 0, follows: '' }),
});

/** In the `Authorization` header of a dial. */
export const DialHeader = z.object({
  from: text(40),
  to: text(40),
  challenge: text(100),
  nonce,
  certificate: z.string().max(200),
  signature: text(200),
});

/** The other links of a station; told again when one is made or cut. */
export const LinkedStations = z.object({
  /** Stations that it knows, so that numbers have names everywhere. */
  stations: z.array(z.object({ id: text(40), number: z.int().min(0), name: text(200) })).max(1000),
  /** Ids of those with which it has links. */
  linkedWith: z.array(text(40)).max(1000).default([]),
});

/** The first message of each station over a new connection. */
export const Hello = z.object({
  protocol: z.int(),
  version: text(60),
  /** Version of each collection. */
  schema: count,
  number: z.int().min(0).max(LAST_STATION),
  name: text(200),
  epoch: text(40),
  /** Wall time in ms. */
  clock: z.number(),
  /** Where it can be reached; null: nowhere. */
  address: text(300).nullable(),
  settings: SettingsFields,
  leadership: LeadershipFields.default({ promotedAt: 0, settledAt: 0, follows: '' }),
  knownIds: count,
  ...LinkedStations.shape,
});
export type Hello = z.output<typeof Hello>;
