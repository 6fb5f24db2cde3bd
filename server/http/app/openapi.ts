import { z } from 'zod';
import { CODE_HEADER, PARAMS_HEADER } from '../../../shared/refusals/headers.ts';
import { isSchema } from './app.ts';
import { CREW_COOKIE, nameOverTls, SESSION_COOKIE } from './cookies.ts';
import type { AnswerSchema, Family, DeclaredRoute } from './route.ts';

type Json = Record<string, unknown>;

const WITHOUT_TLS = 'Over plain HTTP, on the machine of the station, its name has no prefix.';

/** Headers of every refusal. */
const REFUSAL_HEADERS: Json = {
  [CODE_HEADER]: {
    description: 'The refusal for programs, by room and name. The body says the same in an English sentence.',
    schema: { type: 'string', pattern: '^\\w+\\.\\w+$', examples: ['tasks.missing', 'field.range'] },
  },
  [PARAMS_HEADER]: {
    description:
      'What fills the sentence of the refusal: a JSON object, percent-encoded. `field` is the field of the request that is wrong. A value is a text, a number, or another refusal as `{code, params}`. Left out when there is none, or when it is longer than 4000 characters.',
    schema: { type: 'string', examples: ['%7B%22field%22%3A%22radius%22%2C%22least%22%3A1%2C%22most%22%3A500000%7D'] },
  },
};
const REFERENCES: Json = Object.fromEntries(
  Object.keys(REFUSAL_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/** The OpenAPI 3.1 description, built from the schemas that validate the requests. */
export function openApiOf(routes: readonly DeclaredRoute[], version: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    for (const path of pathsOf(route.path)) {
      const address = path.replace(/:(\w+)/g, '{$1}');
      (paths[address] ??= {})[route.method.toLowerCase()] = operationOf(route, path, components);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Waypost',
      version,
      description:
        'Messages and tasks (area A), users and vehicles (area B), routing (area C) of one station. Bodies of area A are JSON or form encoding. Live data come over the WebSocket `/ws?token=…` (or with the cookie): messages are JSON objects `{command, data}`; a client sends SET_OBSERVABLE_CARS with an array of glonassId and hears CAR_UPDATES and EVENT_UPDATES. ADD_OBSERVABLE_CARS adds to the list. SET_PRESENCE with an array of `{newsId, writing}` says which messages it has open, and whether something unsaved is in them; it then hears PRESENCE with `{newsId, users: [{userId, fio, writing, since}]}` for each of them, itself among the users. ERROR answers a wrong message: `message` is a sentence, `code` and `params` are the same for programs, as in the headers `Waypost-Refusal` and `Waypost-Refusal-Params`. A client that sends more than 20 messages a second (100 at once) or a message of more than 100 kB, that follows more than 50,000 vehicles, or whose user has more than 50 connections, is closed with 1008 and a reason. Lengths of texts count characters as people do (grapheme clusters): what keeps to `maxLength`, which counts code points, is always taken.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(groupOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      headers: REFUSAL_HEADERS,
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'query',
          name: 'token',
          description: 'A token from POST /auth/login, or an access key.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: nameOverTls(SESSION_COOKIE), description: WITHOUT_TLS },
        crew: { type: 'apiKey', in: 'cookie', name: nameOverTls(CREW_COOKIE), description: WITHOUT_TLS },
      },
    },
  };
}

/** Expands optional parts: `/a/:b{/:c}` becomes two paths. */
export function pathsOf(path: string): string[] {
  const optional = /\{([^{}]*)\}/.exec(path);
  if (!optional) return [path];
  const [before, after] = [path.slice(0, optional.index), path.slice(optional.index + optional[0].length)];
  return [...pathsOf(before + after), ...pathsOf(before + optional[1] + after)];
}

export function groupOf(route: DeclaredRoute): string {
  return route.group ?? route.path.split(/[/{]/)[1]!.replace(/\W.*$/, '');
}

function operationOf(route: DeclaredRoute, path: string, components: Json): Json {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const parameters = [
    ...parametersOf(route.params, 'path', components, names),
    ...parametersOf(route.query, 'query', components),
  ];
  const open = route.access === 'open';
  const body = route.body && jsonSchemaOf(route.body, components);
  const description = [route.description, accessWords(route)].filter(Boolean).join(' ');
  return {
    tags: [groupOf(route)],
    operationId: operationId(route, path),
    summary: route.summary,
    ...(description ? { description } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: !acceptsNothing(route.body!), content: bodyContent(route, body) } } : {}),
    ...(route.upload
      ? {
          requestBody: {
            required: true,
            content: {
              [route.upload.type]: {
                schema: route.upload.type.startsWith('multipart/')
                  ? { type: 'object' }
                  : { type: 'string', format: 'binary' },
              },
            },
          },
        }
      : {}),
    ...(open
      ? {}
      : { security: route.access === 'crew' ? [{ crew: [] }] : [{ token: [] }, { bearer: [] }, { cookie: [] }] }),
    responses: {
      200: { description: 'Success', ...contentOf(route, components) },
      400: { description: 'The request is wrong', headers: REFERENCES, content: errorContent(route.family) },
      ...(open ? {} : { 401: textError('Authorization is required'), 403: textError('Access denied') }),
      ...(names.length > 0 ? { 404: textError('Not found') } : {}),
      500: textError('Server error'),
    },
  };
}

/** Built from the expanded path, so that both forms of an optional path get their own id. */
function operationId(route: DeclaredRoute, path: string): string {
  const words = path
    .split(/[/.]/)
    .filter(Boolean)
    .map((part) =>
      part.startsWith(':')
        ? `By${capital(part.slice(1))}`
        : part
            .split(/[^A-Za-z0-9]/)
            .map(capital)
            .join(''),
    );
  return route.method.toLowerCase() + words.join('');
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const OTHERS = {
  user: 'a signed-in user',
  admin: 'an administrator',
  superuser: 'an administrator who sees every organisation (`wheel`)',
};

function accessWords({ access }: DeclaredRoute): string {
  if (access === 'crew') return 'For the telephone of a crew: the cookie of `POST /crew/sign-in`.';
  if (access === 'admin') return 'Administrators only.';
  if (access === 'superuser') return 'Acts on every organisation: for administrators who see every one (`wheel`) only.';
  if (typeof access === 'object')
    return `Needs an access key with the scope \`${access.scope}\`, or ${OTHERS[access.others]}.`;
  return '';
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Json,
  names?: readonly string[],
): Json[] {
  const object = schema && jsonSchemaOf(schema, components);
  const properties = (object?.['properties'] ?? {}) as Record<string, Json>;
  const required = new Set((object?.['required'] ?? []) as string[]);
  const declared = Object.entries(properties).filter(([name]) => !names || names.includes(name));
  const missing = (names ?? [])
    .filter((name) => !(name in properties))
    .map((name): [string, Json] => [name, { type: 'string' }]);
  return [...declared, ...missing].map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    ...(description ? { description } : {}),
    schema: property,
  }));
}

function bodyContent(route: DeclaredRoute, schema: Json): Json {
  const json = { 'application/json': { schema } };
  return route.family === 'A' || route.family === 'open311'
    ? { ...json, 'application/x-www-form-urlencoded': { schema } }
    : json;
}

function acceptsNothing(schema: z.ZodType): boolean {
  return schema.safeParse({}).success;
}

function contentOf(route: DeclaredRoute, components: Json): Json {
  const { answer } = route;
  if (answer === 'nothing')
    return route.family === 'A' ? { content: { 'application/json': { schema: envelope() } } } : {};
  if (!isSchema(answer)) return { content: { [answer.type]: { schema: { type: 'string' } } } };
  const schema = jsonSchemaOf(answer, components);
  return {
    content: {
      'application/json': { schema: route.family === 'A' && !route.bare ? { allOf: [envelope(), schema] } : schema },
    },
  };
}

function envelope(): Json {
  return {
    type: 'object',
    properties: { res: { type: 'integer', description: '1 = success, 0 = failure' }, resText: { type: 'string' } },
    required: ['res', 'resText'],
  };
}

function errorContent(family: Family): Json {
  if (family === 'A') return { 'application/json': { schema: envelope() } };
  if (family === 'C')
    return {
      'application/json': {
        schema: { type: 'object', properties: { status: { type: 'integer' }, status_message: { type: 'string' } } },
      },
    };
  if (family === 'open311')
    return {
      'application/json': {
        schema: {
          type: 'array',
          items: { type: 'object', properties: { code: { type: 'integer' }, description: { type: 'string' } } },
        },
      },
    };
  if (family === 'odata')
    return {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            error: { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } },
          },
        },
      },
    };
  return { 'text/plain': { schema: { type: 'string' } } };
}

function textError(description: string): Json {
  return { description, headers: REFERENCES, content: { 'text/plain': { schema: { type: 'string' } } } };
}

/** JSON Schema of a zod schema. Schemas with an `id` become components and are referenced. */
export function jsonSchemaOf(
  schema: AnswerSchema & z.ZodType,
  components: Json,
  target: 'draft-2020-12' | 'draft-7' = 'draft-2020-12',
): Json {
  // Presenters return the schema's input type, so answers are described by their input too.
  const {
    $schema: _,
    $defs,
    definitions = $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    target,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json & { $defs?: Json; definitions?: Json };
  for (const [name, definition] of Object.entries(definitions ?? {})) components[name] = relink(definition);
  return relink(rest) as Json;
}

function relink(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relink);
  if (typeof value !== 'object' || value === null) return value;
  const relinked: Json = {};
  for (const [name, part] of Object.entries(value)) {
    if (name === '$ref' && typeof part === 'string')
      relinked[name] = part.replace(/^#\/(\$defs|definitions)\//, '#/components/schemas/');
    else if (name === 'id' && typeof part === 'string')
      continue; // zod's own mark
    // A field with a type in `meta` also accepts text from forms. JSON clients should send that one type.
    else if (name === 'anyOf' && 'type' in value) continue;
    // JSON Schema requires at least one
    else if (name === 'prefixItems' && Array.isArray(part) && part.length === 0) continue;
    else relinked[name] = relink(part);
  }
  return relinked;
}
