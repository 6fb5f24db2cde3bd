/** Subjects of entries of the audit trail. */
export const AUDIT_KINDS = [
  'signIn',
  'session',
  'identity',
  'key',
  'user',
  'role',
  'organization',
  'rule',
  'field',
  'type',
  'closure',
  'export',
  'retention',
  'backup',
  'link',
  'setting',
  'standby',
  'territory',
  'audit',
  'crew',
  'deviceCommand',
  'access',
  'call',
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Actions on a subject. */
export const AUDIT_ACTIONS = [
  'created',
  'changed',
  'deleted',
  'done',
  'failed',
  'locked',
  'lifted',
  'ended',
  'started',
  'replaced',
  'refused',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** How the change was asked for: over the interface, by the command line, or by the station or a linked one. */
export const AUDIT_WAYS = ['interface', 'command', 'station'] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

/** One entry of the audit trail, as it is hashed. The order of the fields is part of the format. */
export interface AuditEntry {
  readonly id: number;
  /** Epoch ms. */
  readonly time: number;
  readonly kind: AuditKind;
  readonly action: AuditAction;
  readonly way: AuditWay;
  /** The user who did it; null: nobody was signed in. */
  readonly userId: number | null;
  readonly login: string;
  readonly userOrganizationId: number | null;
  /** The access key that was used; null: a session. */
  readonly keyId: number | null;
  readonly address: string;
  /** Id of the subject. */
  readonly subjectId: number | null;
  readonly subject: string;
  readonly subjectOrganizationId: number | null;
  /** The changes, or the reason; never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** The first entry of a trail is chained to this. */
export const FIRST_AUDIT_HASH = '0'.repeat(64);
