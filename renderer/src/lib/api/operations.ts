import type { components, paths } from './schema.d.ts';

/** A named schema of the interface. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type OperationMethod = 'get' | 'post' | 'put' | 'delete';

/** The paths that take this method. */
export type PathOf<M extends OperationMethod> = {
  [P in keyof paths]: paths[P] extends Readonly<Record<M, unknown>> ? P : never;
}[keyof paths];

/** The JSON of a successful answer; undefined: the answer is empty. */
export type AnswerOf<M extends OperationMethod, P extends PathOf<M>> =
  paths[P] extends Readonly<Record<M, { responses: { 200: { content: { 'application/json': infer Answer } } } }>>
    ? Answer
    : undefined;

interface RequestParts {
  readonly parameters?: unknown;
  readonly requestBody?: { readonly content: { readonly 'application/json': unknown } };
}
type OperationOf<M extends OperationMethod, P extends PathOf<M>> =
  paths[P] extends Readonly<Record<M, infer Operation extends RequestParts>> ? Operation : never;

/** Parameters of a request: path and query parameters, and its body. */
export type RequestOf<M extends OperationMethod, P extends PathOf<M>> = (OperationOf<M, P> extends {
  parameters: infer Parameters;
}
  ? { readonly params?: Parameters }
  : unknown) &
  (OperationOf<M, P> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? { readonly body: Body }
    : OperationOf<M, P> extends { requestBody?: { content: { 'application/json': infer Body } } }
      ? { readonly body?: Body }
      : unknown);
