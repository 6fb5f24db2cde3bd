// Loaded before a program (`node --import`): it may reach loopback and nothing else. Whatever it tries beyond
// is refused and written down.
import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.|localhost$)/;
const file = process.env.WAYPOST_ATTEMPTS!;

function refuse(what: string): never {
  appendFileSync(file, `${what}\n`);
  throw Object.assign(new Error(`Nothing beyond loopback: ${what}`), { code: 'ENETUNREACH' });
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
  // The arguments come as they were given, or normalised to one array.
  const [first, second] = (Array.isArray(given[0]) ? given[0] : given) as unknown[];
  const options =
    typeof first === 'object' && first !== null
      ? (first as { host?: string; path?: string; port?: number })
      : { port: first as number, host: typeof second === 'string' ? second : undefined };
  const host = options.host ?? 'localhost';
  if (options.path === undefined && !LOOPBACK.test(host)) refuse(`connect ${host}:${options.port}`);
  return connect.apply(this, given as never);
} as never;

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (this: dgram.Socket, ...given: unknown[]) {
  const host = given.find((one): one is string => typeof one === 'string' && one !== given[0]);
  if (host !== undefined && !LOOPBACK.test(host)) refuse(`send ${host}`);
  return send.apply(this, given as never);
} as never;

for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6'] as const) {
  const ask = dns[name] as (...given: unknown[]) => unknown;
  (dns as unknown as Record<string, unknown>)[name] = (host: string, ...rest: unknown[]) =>
    LOOPBACK.test(host) || host === '::' || host === '0.0.0.0' ? ask(host, ...rest) : refuse(`look up ${host}`);
}
syncBuiltinESMExports();
