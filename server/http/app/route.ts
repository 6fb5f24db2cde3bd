import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Caller, TokenScope } from '../../access/accounts/index.ts';
import type { CrewCaller } from '../../dispatch/crews/index.ts';

/**
 * A path of the interface, declared: the schemas here validate the requests and make `/openapi.json`, so that
 * the two cannot drift apart.
 *
 * ```ts
 * route({
 *   method: 'GET', path: '/drivers/:id', family: 'B', access: 'user', summary: 'One driver',
 *   params: z.object({ id: pathId }), answer: DriverDetail,
 *   run: ({ params, caller }) => presentDriver(fleet.driver(caller, params.id)),
 * })
 * ```
 */
export function route<
  Wanted extends Access,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Output extends AnswerSchema = AnswerSchema,
>(definition: Definition<Wanted, Params, Query, Body, Output>): DeclaredRoute {
  // The only cast of the declaration's types: the app calls `run` only with values that the schemas accepted.
  return definition as unknown as DeclaredRoute;
}

/**
 * The conventions of a group of paths. A wraps JSON in the envelope `{res, resText}`; B is plain JSON; C has
 * a status field inside; `station` is like B, for paths of our own; `open311` takes forms and has the errors of
 * GeoReport v2; `odata` has those of OData.
 */
export type Family = 'A' | 'B' | 'C' | 'station' | 'open311' | 'odata';

/**
 * Callers that a path admits: everybody; every signed-in user; only a crew on its telephone; administrators;
 * superusers (`wheel`); or an access key with the scope, besides the users, administrators or superusers that
 * `others` names. The key of a superuser's route must be theirs too. An access key needs a route with one of
 * its scopes; the scope `read` also opens every other GET.
 */
export type Access =
  | 'open'
  | 'user'
  | 'crew'
  | 'admin'
  | 'superuser'
  | { readonly scope: TokenScope; readonly others: 'user' | 'admin' | 'superuser' };

/** JSON with this schema, another content type, or 200 without a body. */
export type AnswerSchema = z.ZodType | { readonly type: string } | 'nothing';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Common<Wanted extends Access, Output extends AnswerSchema> {
  readonly method: Method;
  /**
   * Express 5 syntax: `/news/:newsId/update`, optional parts in braces. Declare specific paths before general
   * ones.
   */
  readonly path: string;
  readonly family: Family;
  readonly access: Wanted;
  /** One line for the reference documentation. */
  readonly summary: string;
  readonly description?: string;
  /** Heading in the reference documentation. Default: the first segment of the path. */
  readonly group?: string;
  readonly answer: Output;
  /** Area A only: the answer goes out without the envelope. */
  readonly bare?: true;
  /** Largest body in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** The handler reads the request stream itself. `type` is the content type for the documentation. */
  readonly upload?: { readonly type: string };
  /** The handler parses the URL itself; `query` is documentation only. */
  readonly ownGrammar?: true;
  /**
   * Cost of an expensive request in points of the caller's minute: 1 for about 10 ms of a core. A function
   * sees only the address.
   */
  readonly cost?: number | ((request: Request) => number);
  /** Browsers may send it only from pages of this origin, with any token. */
  readonly sameOrigin?: true;
  /**
   * The body must be declared as `application/json`, which makes browsers preflight requests of other
   * origins.
   */
  readonly declaredJson?: true;
  /** Also answered while the user must choose a new password. */
  readonly beforeNewPassword?: true;
  /** Also answered while the user must set up a second factor, as is all that has `beforeNewPassword`. */
  readonly beforeSecondFactor?: true;
  /** A standby answers it, too: it changes nothing that replicates. Every GET is answered there. */
  readonly onStandby?: true;
}

interface Definition<
  Wanted extends Access,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Output extends AnswerSchema,
> extends Common<Wanted, Output> {
  readonly params?: Params;
  readonly query?: Query;
  /** JSON; in area A and in Open311 also a form (`values[title]=…`). */
  readonly body?: Body;
  readonly run: (
    asked: HandlerInput<Wanted, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Presented<Output> | Promise<Presented<Output>>;
}

/** The parsed request. A handler calls its room and presents the result. */
export interface HandlerInput<Wanted extends Access, Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Wanted extends 'open' ? Caller | undefined : Wanted extends 'crew' ? undefined : Caller;
  readonly crew: Wanted extends 'crew' ? CrewCaller : undefined;
  readonly request: Request;
  /** For headers. A handler that ends the response itself returns undefined. */
  readonly response: Response;
}

/** JSON that is produced while it is sent, for long answers. Tests check it against the schema too. */
export class JsonStream {
  readonly source: Readable;
  constructor(source: Readable) {
    this.source = source;
  }
}

/** JSON that is already encoded. Tests check it against the schema too. */
export class JsonBytes {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

type Presented<Output extends AnswerSchema> = Output extends z.ZodType
  ? z.input<Output> | JsonStream | JsonBytes
  : Output extends 'nothing'
    ? void
    : string | Uint8Array | Readable | undefined;

/** A declared route, without the types of its parts. */
export interface DeclaredRoute extends Common<Access, AnswerSchema> {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly run: (asked: HandlerInput<Access, unknown, unknown, unknown>) => unknown;
}
