import { z } from 'zod';
import { nameOverTls, SESSION_COOKIE } from '../app/cookies.ts';
import { jsonSchemaOf } from '../app/openapi.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { MESSAGE_EXAMPLES } from './message-examples.ts';
import { CHANGE_MESSAGES, CLIENT_MESSAGES, STATION_MESSAGES, type MessageSchema } from './messages.ts';

type Json = Record<string, unknown>;

/** `/asyncapi.json`: the socket and the stream of changes, which OpenAPI cannot describe. */
export function asyncApiRoute(version: string): DeclaredRoute {
  let description: string | undefined;
  return route({
    method: 'GET',
    path: '/asyncapi.json',
    family: 'station',
    group: 'station',
    access: 'open',
    summary: 'The socket `/ws` and the stream `/changes` as AsyncAPI 3.0',
    answer: { type: 'application/json; charset=utf-8' },
    run: () => (description ??= JSON.stringify(asyncApiOf(version))),
  });
}

const SECURITY: Json = {
  token: {
    type: 'httpApiKey',
    in: 'query',
    name: 'token',
    description: 'A token from POST /auth/login, or an access key.',
  },
  bearer: { type: 'http', scheme: 'bearer' },
  cookie: {
    type: 'httpApiKey',
    in: 'cookie',
    name: nameOverTls(SESSION_COOKIE),
    description: 'Over plain HTTP, on the machine of the station, its name has no prefix.',
  },
};
const security = Object.keys(SECURITY).map((name) => ({ $ref: `#/components/securitySchemes/${name}` }));

/** The AsyncAPI 3.0 description of a client: it sends what the station hears. */
function asyncApiOf(version: string): Json {
  const schemas: Json = {};
  const sent = messagesOf(CLIENT_MESSAGES, schemas, commandSchema);
  const received = messagesOf(STATION_MESSAGES, schemas, commandSchema);
  const changes = messagesOf(CHANGE_MESSAGES, schemas, (_, data) => data);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Waypost: a client of the station',
      version,
      description:
        'Live data of one station. The socket carries JSON objects `{command, data}` in both directions. `/changes` are server-sent events: `event` is the type, `data` the payload, `id` what `Last-Event-ID` takes. All other paths are in `/openapi.json`.',
    },
    defaultContentType: 'application/json',
    servers: {
      socket: serverOf('wss', 'WebSocket; `ws` where the station serves no TLS.'),
      stream: serverOf('https', 'Server-sent events; `http` where the station serves no TLS.'),
    },
    channels: {
      live: {
        address: '/ws',
        servers: [{ $ref: '#/servers/socket' }],
        messages: { ...sent, ...received },
        bindings: { ws: { method: 'GET' } },
      },
      changes: { address: '/changes', servers: [{ $ref: '#/servers/stream' }], messages: changes },
    },
    operations: {
      ...operationsOf('send', 'live', sent),
      ...operationsOf('receive', 'live', received),
      receiveChanges: {
        action: 'receive',
        channel: { $ref: '#/channels/changes' },
        summary: 'Changes as they happen',
        security,
        messages: Object.keys(changes).map((name) => messageReference('changes', name)),
        bindings: { http: { method: 'GET' } },
      },
    },
    components: { schemas, securitySchemes: SECURITY },
  };
}

function serverOf(protocol: string, description: string): Json {
  return {
    host: '{host}',
    protocol,
    description,
    variables: { host: { description: 'Address and port of the station', examples: ['station.example:8443'] } },
    security,
  };
}

function messagesOf(
  messages: Readonly<Record<string, MessageSchema>>,
  schemas: Json,
  payloadOf: (name: string, data: z.ZodType) => z.ZodType,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { summary, data }]) => [
      name,
      {
        name,
        summary,
        payload: jsonSchemaOf(payloadOf(name, data), schemas, 'draft-7'),
        examples: [{ payload: MESSAGE_EXAMPLES[name] }],
      },
    ]),
  );
}

function commandSchema(command: string, data: z.ZodType): z.ZodType {
  return z.object({ command: z.literal(command), data });
}

function operationsOf(action: 'send' | 'receive', channel: string, messages: Record<string, Json>): Json {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { summary }]) => [
      `${action}.${name}`,
      {
        action,
        channel: { $ref: `#/channels/${channel}` },
        summary,
        security,
        messages: [messageReference(channel, name)],
      },
    ]),
  );
}

function messageReference(channel: string, name: string): Json {
  return { $ref: `#/channels/${channel}/messages/${name}` };
}
