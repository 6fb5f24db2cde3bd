import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Caller, Scope } from '../../accounts/index.ts';

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
  Answered extends Answer = Answer,
>(definition: Definition<Wanted, Params, Query, Body, Answered>): Route {
  // The one place where the types of the parts are forgotten: the frame calls `run` only with what the
  // schemas let through.
  return definition as unknown as Route;
}

/**
 * How a family of paths speaks: A wraps JSON in the envelope `{res, resText}`; B is plain JSON; C has its own
 * status inside; station is ours, in B's manner.
 */
export type Family = 'A' | 'B' | 'C' | 'station';

/**
 * Who may call: everybody; every signed-in user; administrators; administrators who see every organisation
 * (`wheel`); or a key with the scope (and, by `others`, users or administrators without one). A token limited
 * to scopes is let through by `{scope}` alone, but for `read`, which also opens every other GET.
 */
export type Access = 'open' | 'user' | 'admin' | 'wheel' | { readonly scope: Scope; readonly others: 'user' | 'admin' };

/** JSON by a schema, another content type, or 200 without a body. */
export type Answer = z.ZodType | { readonly type: string } | 'nothing';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Common<Wanted extends Access, Answered extends Answer> {
  readonly method: Method;
  /**
   * As Express 5 writes it: `/news/:newsId/update`, optional parts in braces. More special paths are declared
   * before more general ones.
   */
  readonly path: string;
  readonly family: Family;
  readonly access: Wanted;
  /** One line for the reference documentation. */
  readonly summary: string;
  readonly description?: string;
  /** Heading in the reference documentation; the first word of the path when not given. */
  readonly group?: string;
  readonly answer: Answered;
  /** Area A only: the answer is sent as it is, without the envelope. */
  readonly bare?: true;
  /** Bytes of body that are taken; 1 MiB when not given. */
  readonly bodyLimit?: number;
  /**
   * The handler reads the request's stream itself; no body is parsed. `type` is what the documentation says
   * is sent.
   */
  readonly upload?: { readonly type: string };
  /** The handler reads the address itself, by a grammar of its own; `query` only describes it. */
  readonly ownGrammar?: true;
  /** Only pages of this very origin may send it from a browser, whatever the token. */
  readonly sameOrigin?: true;
  /**
   * The body must be sent as `application/json`: browsers ask before they send it for a page of another
   * origin.
   */
  readonly declaredJson?: true;
}

interface Definition<
  Wanted extends Access,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answered extends Answer,
> extends Common<Wanted, Answered> {
  readonly params?: Params;
  readonly query?: Query;
  /** JSON, and in area A form encoding too (`values[title]=…`). */
  readonly body?: Body;
  readonly run: (
    asked: HandlerInput<Wanted, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => Presented<Answered> | Promise<Presented<Answered>>;
}

/** What a handler is given. Parsing is done; it asks the room and presents. */
export interface HandlerInput<Wanted extends Access, Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly caller: Wanted extends 'open' ? Caller | undefined : Caller;
  readonly request: Request;
  /** For headers; a handler that ends the response itself returns undefined. */
  readonly response: Response;
}

/**
 * JSON that is made while it is sent, for answers that may be long; tests hold it to the schema like any
 * other.
 */
export class JsonStream {
  readonly source: Readable;
  constructor(source: Readable) {
    this.source = source;
  }
}

/** JSON that is there as bytes already; tests hold it to the schema like any other. */
export class JsonBytes {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

type Presented<Answered extends Answer> = Answered extends z.ZodType
  ? z.input<Answered> | JsonStream | JsonBytes
  : Answered extends 'nothing'
    ? void
    : string | Uint8Array | Readable | undefined;

/** A declared path as the frame sees it. */
export interface Route extends Common<Access, Answer> {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly run: (asked: HandlerInput<Access, unknown, unknown, unknown>) => unknown;
}
