import { z } from 'zod';
import { ID_SPACE } from '../../../shared/ids.ts';
import { stationOfSecret } from '../../access/identity/index.ts';
import { parsedJson } from '../../platform/parsing/parsed-json.ts';
import type { DeclaredRoute } from '../app/route.ts';

type MethodAndPath = Pick<DeclaredRoute, 'method' | 'path'>;

/** Questions that are sent as POST and change nothing. */
export const READING_POSTS: ReadonlySet<string> = new Set([
  'POST /closures/preview',
  'POST /geocoding/batch',
  'POST /news/allowed/try',
  'POST /proposals',
]);

/**
 * Paths of data that a station keeps outside of the records of the region: tracks, queues, settings, keys,
 * warnings, files on its disk. Sessions are shared, but the list of them belongs to a station.
 */
export const OF_A_STATION: readonly RegExp[] = [
  /^\/audit(\/|$)/,
  /^\/auth\/(keys|methods|oidc|passkeys|sessions)(\/|$)/,
  /^\/backups(\/|$)/,
  /^\/board(\/|$)/,
  /^\/cars\/:id\/(track|commands|sensors)(\/|$)/,
  /^\/changes$/,
  /^\/citizens(\/|$)/,
  /^\/crews?(\/|$)/,
  /^\/events\/replay$/,
  /^\/fileload(\/|$)/,
  /^\/first-run(\/|$)/,
  /^\/imports(\/|$)/,
  /^\/links(\/|$)/,
  /^\/log\/app(\/|$)/,
  /^\/mailbox(\/|$)/,
  /^\/notify(\/|$)/,
  /^\/open311(\/|$)/,
  /^\/raster-layers(\/|$)/,
  /^\/reports(\/|$)/,
  /^\/sensors\/:id\/values$/,
  /^\/sms(\/|$)/,
  /^\/speeds(\/|$)/,
  /^\/standby(\/|$)/,
  /^\/statistics(\/|$)/,
  /^\/telemetry(\/|$)/,
  /^\/territory(\/|$)/,
  /^\/warning(s|-feeds)(\/|$)/,
  /^\/webhooks(\/|$)/,
];

/** They may name uploads, which are at the first station. */
export const WITH_UPLOADS: ReadonlySet<string> = new Set(['POST /news/:newsId/comments', 'POST /news/:newsId/update']);

/** Signing in and out: any station may answer, since accounts and sessions are those of the region. */
export const OF_ANY_STATION: ReadonlySet<string> = new Set([
  'GET /auth/methods',
  'GET /auth/oidc',
  'GET /auth/oidc/callback',
  'POST /auth/login',
  'POST /auth/logout',
  'POST /auth/oidc/hand-over',
  'POST /auth/passkey',
  'POST /auth/passkey/challenge',
  'POST /auth/unlock',
]);

const HandOver = z.object({ code: z.string() });

/** Whether each station of the region answers this alike. */
export function isOfAnyStation(route: MethodAndPath): boolean {
  return OF_ANY_STATION.has(nameOf(route));
}

/**
 * The number of the station that remembers this sign-in with a provider: it has to finish it.
 * @param begun the cookie of the browser that began
 */
export function rememberedBy(route: MethodAndPath, begun: string | undefined, body: Buffer): number | undefined {
  if (route.path === '/auth/oidc/callback') return stationOfSecret(begun);
  if (route.path !== '/auth/oidc/hand-over') return undefined;
  const told = HandOver.safeParse(parsedJson(body.toString('utf8')));
  return stationOfSecret(told.data?.code);
}

/** Whether a console server answers from its copy. */
export function isAnsweredHere(route: MethodAndPath): boolean {
  if (OF_A_STATION.some((pattern) => pattern.test(route.path))) return false;
  return route.method === 'GET' || READING_POSTS.has(nameOf(route));
}

/**
 * The number of the station that made the record which the path names. undefined: it names none. Ids of station 0 look
 * like those of tables that each station has for itself.
 */
export function ownerOf(route: MethodAndPath, params: Readonly<Record<string, unknown>>): number | undefined {
  if (WITH_UPLOADS.has(nameOf(route))) return undefined;
  const id = Object.values(params).find((value) => typeof value === 'string' && /^\d{8,10}$/.test(value));
  const station = Math.floor(Number(id) / ID_SPACE);
  return station > 0 ? station : undefined;
}

function nameOf({ method, path }: MethodAndPath): string {
  return `${method} ${path}`;
}
