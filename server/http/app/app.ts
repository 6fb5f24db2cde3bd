import type { Reason } from '../../../shared/refusals/reason.ts';
import express from 'express';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { actingAs, type AuditDraft } from '../../access/audit/index.ts';
import { actingOf, auditedAs, entryFor } from './audited.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { CrewCaller } from '../../dispatch/crews/index.ts';
import { callerOf, crewOf, refuseQueryToken, requireAccess, isSameOrigin } from './authenticate.ts';
import type { Authenticate } from './authenticate.ts';
import { BODY_LIMIT, bodyReader } from '../request/read-body.ts';
import type { HttpClient } from './client.ts';
import { compress } from './compress.ts';
import { answerError, answerRefusal, sendBytes, sendJson } from './errors.ts';
import { familiesByPattern } from './family-of-path.ts';
import type { Quotas } from './quotas.ts';
import { RefusedAccess } from './refused-access.ts';
import { redirectPages, refusalOfExposed, type TlsPort } from './tls-only.ts';
import type { ReportBug } from './errors.ts';
import { JsonBytes, JsonStream, type AnswerSchema, type Family, type DeclaredRoute } from './route.ts';

interface AppOptions {
  readonly routes: readonly DeclaredRoute[];
  readonly authenticate: Authenticate;
  /** The crew of a telephone's token; undefined when it is not valid. */
  readonly authenticateCrew?: (token: string) => CrewCaller | undefined;
  readonly reportBug: ReportBug;
  /** Adds an entry to the audit trail. */
  readonly record?: (draft: AuditDraft) => Promise<void>;
  /** The same for refusals, which a full disk does not turn into another error. */
  readonly recordRefused?: (draft: AuditDraft) => Promise<void>;
  /** Why the station takes no changes now; undefined: it does. */
  readonly refusesChanges?: () => Reason | undefined;
  /** Answers a request elsewhere, and says whether it did: a console server asks stations. */
  readonly passOn?: ((route: DeclaredRoute, request: Request, response: Response) => Promise<boolean>) | undefined;
  /**
   * Called after each request, for `/metrics` and the log. `pattern` is the route's path, so ids create no
   * new series.
   */
  readonly observe?: (request: Request, response: Response, pattern: string, seconds: number) => void;
  /** Notes on each request who its client is. */
  readonly findClient?: (request: Request) => HttpClient;
  /** Set: secrets are refused over plain HTTP from other machines, and pages are redirected to this port. */
  readonly tlsPort?: TlsPort | undefined;
  /** Whether a token may stand in the address; default: yes. */
  readonly tokenInQuery?: boolean | undefined;
  /** Limits costly questions. */
  readonly quotas?: Quotas | undefined;
  /** Tells browsers to use only TLS with this host (HSTS): they trust the certificate. */
  readonly strictTransport?: () => boolean | 'subdomains';
  /** Handles paths that no route matches: the console's files. */
  readonly rest?: express.RequestHandler;
  /** Checks every answer against its schema. For tests. */
  readonly checkAnswers?: boolean;
  /** Error format for paths that belong to no family. */
  readonly otherwise?: Family;
}

/** seconds */
const YEAR = 31_536_000;

/**
 * The Express application over declared routes: authentication, access, parsing, the handler, and the
 * response or error in the form of the route's family.
 */
export function createApp({
  routes,
  authenticate,
  authenticateCrew = () => undefined,
  reportBug,
  record = async () => undefined,
  recordRefused = async () => undefined,
  refusesChanges = () => undefined,
  passOn,
  observe,
  findClient,
  tlsPort,
  tokenInQuery = true,
  quotas,
  strictTransport = () => false,
  rest,
  checkAnswers = false,
  otherwise = 'station',
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use((request, response, next) => {
    if (findClient) response.setHeader('X-Request-Id', findClient(request).requestId);
    const strict = request.secure && strictTransport();
    if (strict) {
      const below = strict === 'subdomains' ? '; includeSubDomains' : '';
      response.setHeader('Strict-Transport-Security', `max-age=${YEAR}${below}`);
    }
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    // Pages have a policy of their own. Nothing else is shown in a frame either.
    response.setHeader('Content-Security-Policy', "frame-ancestors 'none'");
    next();
  });
  const handlers = new Map<DeclaredRoute, RequestHandler>();
  const refused = new RefusedAccess();
  const around = {
    authenticate,
    authenticateCrew,
    refusesChanges,
    record,
    recordRefused,
    refused,
    checkAnswers,
    quotas,
  };
  for (const route of routes) {
    const handle = handlerOf(route, around);
    handlers.set(route, async (request, response) => {
      const started = performance.now();
      compress(request, response);
      if (observe)
        response.on('close', () => observe(request, response, route.path, (performance.now() - started) / 1000));
      try {
        if (!tokenInQuery) refuseQueryToken(request);
        if (tlsPort) demandTls(route, request, response, tlsPort);
        if (response.writableEnded) return;
        if (await passOn?.(route, request, response)) return;
        await handle(request, response);
      } catch (error) {
        answerError(response, route.family, error, reportBug);
      }
    });
  }
  app.use(routersBySegment(handlers));
  if (rest && tlsPort) app.use(redirectPages(tlsPort));
  if (rest) app.use(rest);
  const familyOf = familiesByPattern(routes, otherwise);
  app.use((request: Request, response: Response) => {
    answerError(
      response,
      familyOf(request.path, request.method),
      new Refusal('request.nothingHere', { path: request.path.slice(0, 200) }),
      reportBug,
    );
  });
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    answerError(response, familyOf(request.path, request.method), error, reportBug);
  });
  return app;
}

/** Throws for a secret over plain HTTP; pages are redirected. */
function demandTls(route: DeclaredRoute, request: Request, response: Response, tlsPort: TlsPort): void {
  const isPage = !isSchema(route.answer) && route.answer !== 'nothing' && route.answer.type.startsWith('text/html');
  if (isPage) return redirectPages(tlsPort)(request, response, () => undefined) as void;
  const refusal = refusalOfExposed(request, tlsPort, route.access);
  if (refusal) throw refusal;
}

/**
 * One router for each first segment of a path: Express tries its patterns one after another, and the
 * interface has more than 250 of them.
 */
function routersBySegment(handlers: ReadonlyMap<DeclaredRoute, RequestHandler>): RequestHandler {
  const routes = [...handlers.keys()];
  const routerOf = (segment: string | undefined): RequestHandler => {
    const router = express.Router({ caseSensitive: true });
    const own = routes.filter(({ path }) => firstWord(path) === segment || /[:*]/.test(firstWord(path)));
    for (const route of own)
      router[route.method.toLowerCase() as Lowercase<DeclaredRoute['method']>](route.path, handlers.get(route)!);
    return router.use(otherMethods(own));
  };
  const segments = new Set(routes.map(({ path }) => firstWord(path)));
  /** Made when first asked: compiling all patterns takes a tenth of a start. */
  const routers = new Map<string | undefined, RequestHandler>();
  return (request, response, next) => {
    const word = request.path.split('/', 2)[1] ?? '';
    const segment = segments.has(word) ? word : undefined;
    let router = routers.get(segment);
    if (!router) routers.set(segment, (router = routerOf(segment)));
    router(request, response, next);
  };
}

function firstWord(path: string): string {
  return path.split(/[/{]/)[1] ?? '';
}

/** The surroundings of every handler. */
type Around = Required<
  Pick<AppOptions, 'authenticate' | 'authenticateCrew' | 'refusesChanges' | 'record' | 'recordRefused' | 'checkAnswers'>
> & { readonly quotas: Quotas | undefined; readonly refused: RefusedAccess };

function handlerOf(
  route: DeclaredRoute,
  { authenticate, authenticateCrew, refusesChanges, record, recordRefused, refused, checkAnswers, quotas }: Around,
): (request: Request, response: Response) => Promise<void> {
  const readBody =
    route.body &&
    bodyReader({
      limit: route.bodyLimit ?? BODY_LIMIT,
      acceptsForms: route.family === 'A' || route.family === 'open311',
      declaredJson: route.declaredJson === true,
    });
  const audited = auditedAs(route);
  const handle = async (request: Request, response: Response, caller?: Caller, crew?: CrewCaller): Promise<void> => {
    requireAccess(route, caller, crew);
    quotas?.take(route, request, caller, performance.now());
    if (route.sameOrigin && !isSameOrigin(request)) throw new Refusal('request.otherSite');
    const refusal = route.method === 'GET' || route.onStandby ? undefined : refusesChanges();
    if (refusal !== undefined) throw Refusal.of(refusal);
    const params = route.params?.parse(request.params);
    const query = route.ownGrammar ? undefined : route.query?.parse(request.query);
    const body = readBody && route.body!.parse(await readBody(request, response));
    // `requireAccess` has checked that the user or crew that the handler expects is present.
    const presented = await actingAs(actingOf(request, caller, crew), async () => {
      const entry = audited && entryFor(audited, request, [params, query, body]);
      if (entry?.kind === 'export') await record(entry);
      const answer = await route.run({ params, query, body, caller: caller!, crew, request, response });
      if (entry && entry.kind !== 'export') await record(entry);
      return answer;
    });
    await send(response, route, presented, checkAnswers);
  };
  return async (request, response) => {
    const crew = route.access === 'crew' ? crewOf(request, authenticateCrew) : undefined;
    const caller = route.access === 'crew' ? undefined : callerOf(request, authenticate);
    try {
      await handle(request, response, caller, crew);
    } catch (error) {
      const entry = refused.entryFor(route, request, caller, error, performance.now());
      if (entry) await actingAs(actingOf(request, caller), () => recordRefused(entry));
      throw error;
    }
  };
}

async function send(
  response: Response,
  route: DeclaredRoute,
  presented: unknown,
  checkAnswers: boolean,
): Promise<void> {
  if (response.headersSent || response.writableEnded || response.destroyed) return discard(presented);
  if (presented instanceof JsonStream) {
    await sendStream(response, route, presented, checkAnswers);
  } else if (presented instanceof JsonBytes) {
    if (checkAnswers && isSchema(route.answer))
      checkAnswer(route, route.answer, JSON.parse(Buffer.from(presented.bytes).toString()));
    sendBytes(response, 'application/json; charset=utf-8', presented.bytes);
  } else if (isSchema(route.answer)) {
    if (checkAnswers) checkAnswer(route, route.answer, presented);
    sendJson(
      response,
      route.family === 'A' && !route.bare ? { res: 1, resText: '', ...(presented as object) } : presented,
    );
  } else if (route.answer === 'nothing') {
    if (route.family === 'A') sendJson(response, { res: 1, resText: '' });
    else response.set('Content-Length', '0').end();
  } else {
    if (!response.hasHeader('Content-Type')) response.set('Content-Type', withCharset(route.answer.type));
    if (!response.hasHeader('Cache-Control')) response.set('Cache-Control', 'no-store');
    if (presented instanceof Readable) await pipeTo(presented, response);
    else if (presented === undefined) response.end();
    else {
      const bytes = typeof presented === 'string' ? Buffer.from(presented) : (presented as Uint8Array);
      response.set('Content-Length', String(bytes.length)).end(bytes);
    }
  }
}

/** Waits for the first chunk, so that an error before it is answered like any other. */
async function sendStream(
  response: Response,
  route: DeclaredRoute,
  { source }: JsonStream,
  checkAnswers: boolean,
): Promise<void> {
  if (checkAnswers && isSchema(route.answer)) {
    const whole = JSON.parse(Buffer.concat((await source.toArray()) as Buffer[]).toString()) as unknown;
    checkAnswer(route, route.answer, whole);
    return sendJson(response, whole);
  }
  await new Promise<void>((ready, failed) => source.once('readable', ready).once('error', failed).once('close', ready));
  if (response.destroyed) return discard(source);
  response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  await pipeTo(source, response);
}

/** Destroys a response whose client is gone. An unread stream would hold its worker or file indefinitely. */
function discard(presented: unknown): void {
  if (presented instanceof JsonStream) presented.source.destroy();
  else if (presented instanceof Readable) presented.destroy();
}

/** Ignores a client that disconnects. Throws errors of the source. */
async function pipeTo(source: Readable, response: Response): Promise<void> {
  try {
    await pipeline(source, response);
  } catch (error) {
    if (!DISCONNECT_CODES.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Node's error codes for a client that disconnected. */
const DISCONNECT_CODES: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

function checkAnswer(route: DeclaredRoute, schema: z.ZodType, presented: unknown): void {
  const { error } = schema.safeParse(JSON.parse(JSON.stringify(presented ?? null)));
  if (error) throw new Error(`${route.method} ${route.path} answers other than it says: ${z.prettifyError(error)}`);
}

export function isSchema(answer: AnswerSchema): answer is z.ZodType {
  return typeof answer === 'object' && answer instanceof z.ZodType;
}

function withCharset(type: string): string {
  return type.startsWith('text/') && !type.includes('charset') ? `${type}; charset=utf-8` : type;
}

/** Answers OPTIONS, and 405 with `Allow` where a known path does not support the method. */
function otherMethods(routes: readonly DeclaredRoute[]): express.RequestHandler {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes) methods.set(path, (methods.get(path) ?? new Set()).add(method));
  const familyOf = familiesByPattern(routes, 'station');
  const known = express.Router({ caseSensitive: true });
  for (const [path, allowed] of methods) {
    known.all(path, (request, response, next) => {
      // Several patterns may match one path: collect the methods of all.
      const all: Set<string> = (response.locals['allowed'] ??= new Set(['OPTIONS']));
      for (const method of allowed) all.add(method);
      if (allowed.has('GET')) all.add('HEAD');
      if (all.has(request.method) && request.method !== 'OPTIONS') return next('router');
      return next();
    });
  }
  known.use((request, response, next) => {
    const allowed = response.locals['allowed'] as Set<string> | undefined;
    if (!allowed) return next();
    response.set('Allow', [...allowed].sort().join(', '));
    if (request.method === 'OPTIONS') return void response.status(204).end();
    const path = request.path.slice(0, 200);
    answerRefusal(
      response,
      familyOf(request.path, request.method),
      new Refusal('request.method', { method: request.method, path }),
    );
  });
  return known;
}
