import { parsedJson } from '../../../platform/parsing/parsed-json.ts';

/** The public key of the user in a file of credentials; undefined: it holds none. */
export function userKeyOf(credentials: string): string | undefined {
  const claims = /-----BEGIN NATS USER JWT-----\s+[\w-]+\.([\w-]+)\./.exec(credentials)?.[1];
  if (claims === undefined) return undefined;
  const { sub } = (parsedJson(Buffer.from(claims, 'base64url').toString('utf8')) ?? {}) as { sub?: unknown };
  return typeof sub === 'string' && /^U[A-Z2-7]{55}$/.test(sub) ? sub : undefined;
}
