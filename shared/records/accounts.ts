import { z } from 'zod';
import { collection, Flag, Id, recordFields, Text, Word } from './record.ts';

const entry = <K extends string>(kind: K) => ({ ...recordFields, kind: z.literal(kind), name: Word, isDeleted: Flag });

/** A key of a browser, telephone or security key that signs in (WebAuthn). */
export const Passkey = z.object({
  /** The credential's id, base64url. */
  id: z.string(),
  /** COSE, base64url. */
  publicKey: z.string(),
  /** The name of the station's address to which it is bound. */
  site: z.string(),
  name: z.string(),
  transports: z.array(z.string()),
  createdAt: z.number(),
});
export type Passkey = z.infer<typeof Passkey>;

/** A user; `name` is the full name (`fio` of the interface). */
export const User = z.object({
  ...entry('user'),
  login: Word,
  email: Text,
  phone: Text,
  /** Of their telephone at the exchange of their station. Missing or empty: none. */
  extension: Text.optional(),
  /** argon2id, PHC string. Only linked stations receive it. */
  passwordHash: Text,
  monitor: Flag,
  visible: Flag,
  enabled: Flag,
  roleId: Id,
  organizationId: Id,
  /** Only linked stations receive it. Missing: nothing but the password. */
  signIn: z
    .object({
      /** An administrator set the password; the user must choose another before anything else. */
      mustChange: Flag,
      /** Secret of the second factor (TOTP), base32; null: none. */
      totp: z.string().nullable(),
      /** SHA-256 of the recovery codes that are left. */
      recoveryCodes: z.array(z.string()),
      /** argon2id of the PIN that unlocks a console; null: none. */
      pinHash: z.string().nullable(),
      passkeys: z.array(Passkey).optional(),
    })
    .optional(),
});
export type User = z.infer<typeof User>;

/** Permissions of a role. `accesses` are the access rules of area A: null states means in any state. */
export const Role = z.object({
  ...entry('role'),
  organizationId: Id,
  /** Sees every organization. */
  superuser: Flag,
  admin: Flag,
  accesses: z.array(z.object({ id: Id, capability: Word, stateIds: z.array(Id).nullable() })),
});
export type Role = z.infer<typeof Role>;

/** An organization; the departments of area A are the same records with the same ids. */
export const Organization = z.object({
  ...entry('organization'),
  logo: Text,
  mapExtent: Text,
  mapRoadProvider: Text,
  mapAerialProvider: Text,
  info: z.object({ address: Text, phone: Text, inn: Text, kpp: Text, email: Text, homepage: Text }),
});
export type Organization = z.infer<typeof Organization>;

/**
 * Preferences of a person, which follow them to other consoles and stations. Its id is that of the user. `values` are
 * JSON texts by the name of the preference; each name merges by itself.
 */
export const PersonPreferences = z.object({
  ...entry('preferences'),
  organizationId: Id,
  values: z.record(Word, Text),
});
export type PersonPreferences = z.infer<typeof PersonPreferences>;

/** Kinds of presets: an arrangement of the board, and a view of the queue. */
export const PRESET_USES = ['layout', 'view'] as const;

/** A layout or a view that its owner has shared. It is of an organization; 0: of all. */
export const SharedPreset = z.object({
  ...entry('preset'),
  use: z.enum(PRESET_USES),
  organizationId: Id,
  ownerId: Id,
  /** JSON, which only consoles read. */
  content: Text,
  /** Epoch ms. Consoles accept only later values than their own. */
  changedAt: z.number(),
});
export type SharedPreset = z.infer<typeof SharedPreset>;

export const accounts = collection({
  name: 'accounts',
  version: 0,
  record: z.looseObject({ ...recordFields, kind: Word, name: Word, isDeleted: Flag }),
  parts: { info: 'map', values: 'map' },
  deletion: 'isDeleted',
  // Two palettes chosen at once, or a layout changed at two stations, need no report.
  unreportedKinds: ['preferences', 'preset'],
  indexes: [['kind', 'id']],
});

/** Capabilities of access rules over tasks, in the order of their ids (from 1). */
export const CAPABILITIES = [
  'view',
  'create',
  'edit',
  'change_status',
  'confirm',
  'assign',
  'comment',
  'attach',
  'archive',
  'delete',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Capabilities that concern no single task, and so know no states. */
export const GENERAL_CAPABILITIES = [
  'closures-wide',
  'own-places',
  'place-codes',
  'device-commands',
  'presets',
] as const;
/** The capabilities of a role: those over tasks, then the general ones. Ids continue. */
export const ROLE_CAPABILITIES = [...CAPABILITIES, ...GENERAL_CAPABILITIES] as const;
export type RoleCapability = (typeof ROLE_CAPABILITIES)[number];

export function isGeneral(capability: RoleCapability): capability is (typeof GENERAL_CAPABILITIES)[number] {
  return (GENERAL_CAPABILITIES as readonly string[]).includes(capability);
}
