import type { Request } from 'express';
import type { AuditAction, AuditKind } from '../../../shared/audit.ts';
import { STATION, type Acting, type AuditDraft } from '../../access/audit/index.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { CrewCaller } from '../../dispatch/crews/index.ts';
import { clientAddress } from './client.ts';
import type { DeclaredRoute } from './route.ts';

/**
 * Requests that are entries of the audit trail by themselves, because what they change is no record that the trail
 * watches. Exports are recorded before the first byte leaves, everything else before the answer.
 */
const AUDITED: Readonly<Record<string, readonly [AuditKind, AuditAction]>> = {
  'GET /news/:newsId/pdf': ['export', 'done'],
  'GET /notify/post/:id/pdf': ['export', 'done'],
  'GET /audit/export': ['export', 'done'],
  'PUT /telemetry/retention/:id': ['retention', 'changed'],
  'POST /links/codes': ['link', 'started'],
  'POST /links': ['link', 'created'],
  'PUT /links/:id': ['link', 'changed'],
  'DELETE /links/:id': ['link', 'deleted'],
  'POST /links/pairings/proof': ['link', 'created'],
  'POST /standby/promotion': ['standby', 'done'],
  'POST /backups': ['backup', 'started'],
  'POST /backups/copies': ['backup', 'done'],
  'POST /backups/:id/restore': ['backup', 'started'],
  'POST /first-run/restore': ['backup', 'started'],
  'POST /territory': ['territory', 'started'],
  'POST /raster-layers': ['territory', 'created'],
  'PUT /raster-layers/:id': ['territory', 'changed'],
  'DELETE /raster-layers/:id': ['territory', 'deleted'],
  'PUT /events/settings': ['setting', 'changed'],
  'PUT /events/settings/cars/:id': ['setting', 'changed'],
  'PUT /speeds': ['setting', 'changed'],
  'PUT /shifts/settings': ['setting', 'changed'],
  'PUT /dispatch/settings': ['setting', 'changed'],
  'POST /speeds/rebuild': ['setting', 'changed'],
  'POST /webhooks': ['setting', 'created'],
  'PUT /webhooks/:id': ['setting', 'changed'],
  'DELETE /webhooks/:id': ['setting', 'deleted'],
  'POST /webhooks/:id/secret': ['setting', 'changed'],
  'PUT /sms/settings': ['setting', 'changed'],
  'POST /sms/key': ['setting', 'changed'],
  'PUT /telephony/settings': ['setting', 'changed'],
  'POST /telephony/test': ['setting', 'done'],
  'POST /telephony/dial': ['call', 'started'],
  'POST /sms/test': ['setting', 'done'],
  'PUT /mailbox/settings': ['setting', 'changed'],
  'POST /warning-feeds': ['setting', 'changed'],
  'PUT /warning-feeds/:id': ['setting', 'changed'],
  'DELETE /warning-feeds/:id': ['setting', 'changed'],
  'POST /cars/:id/commands': ['deviceCommand', 'created'],
  'DELETE /cars/:id/commands/:commandId': ['deviceCommand', 'deleted'],
  'POST /telemetry/quarantine/replay': ['setting', 'changed'],
};
/** Values of a body that the trail must not keep; the headers of an SMS gateway may hold its token. */
const SECRET = /code|password|secret|proof|token|key|pin|^http$/i;
/** A first word of letters alone: some makers write the password into the same word (`reboot123456`). */
const COMMAND_NAME = /^[\p{L}_]{1,40}(?=\s|$)/u;
/** Longest value in an entry, as JSON. */
const LONGEST = 300;

export interface AuditedRoute {
  readonly kind: AuditKind;
  readonly action: AuditAction;
}

/** The trail's entry for a route; undefined: the route makes none. */
export function auditedAs({ method, path }: Pick<DeclaredRoute, 'method' | 'path'>): AuditedRoute | undefined {
  const entry = AUDITED[`${method} ${path}`] ?? (isExport(method, path) ? (['export', 'done'] as const) : undefined);
  return entry && { kind: entry[0], action: entry[1] };
}

export const AUDITED_ROUTES: readonly string[] = Object.keys(AUDITED);

function isExport(method: string, path: string): boolean {
  return method === 'GET' && /\.(xlsx|pdf|csv)$/.test(path);
}

/** The entry for a request. `parts` are its path parameters, query or body, as the route has parsed them. */
export function entryFor(route: AuditedRoute, request: Request, parts: readonly unknown[]): AuditDraft {
  return {
    ...route,
    subject: { name: request.path.slice(0, 200) },
    details: withoutCommand(detailsOf(parts), parts, route),
  };
}

/**
 * Passwords stand in the texts of commands, in as many forms as there are makers. The trail keeps the name and the
 * length; the record of the command has the text, for those with the right.
 */
function withoutCommand(
  details: Record<string, unknown>,
  parts: readonly unknown[],
  { kind }: AuditedRoute,
): Record<string, unknown> {
  const text = parts.map((part) => (part as { text?: unknown } | undefined)?.text).find((one) => one !== undefined);
  if (kind !== 'deviceCommand' || typeof text !== 'string') return details;
  return { ...details, text: `${COMMAND_NAME.exec(text)?.[0] ?? ''}…`, length: text.length };
}

function detailsOf(parts: readonly unknown[]): Record<string, unknown> {
  const all = parts.flatMap((part) => (typeof part === 'object' && part !== null ? Object.entries(part) : []));
  return Object.fromEntries(
    all
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        SECRET.test(name) || (JSON.stringify(value) ?? '').length > LONGEST ? '…' : (value as unknown),
      ]),
  );
}

/** The actor of a request, for the trail. The control token is the command line of this machine. */
export function actingOf(request: Request, caller: Caller | undefined, crew?: CrewCaller): Acting {
  const address = clientAddress(request);
  if (crew) {
    const { name, organizationId } = crew.vehicle;
    return { ...STATION, way: 'interface', login: name, organizationId, address };
  }
  if (!caller) return { ...STATION, way: 'interface', address };
  if (caller.token.id === 0) return { ...STATION, way: 'command', address };
  return {
    way: 'interface',
    userId: caller.user.id,
    login: caller.user.login,
    organizationId: caller.user.organizationId,
    keyId: caller.token.kind === 'key' ? caller.token.id : null,
    address,
  };
}
