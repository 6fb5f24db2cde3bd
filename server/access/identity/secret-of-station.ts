import { randomBytes } from 'node:crypto';

/** A secret for what this station alone remembers. It begins with its number, so a console server finds the station. */
export function secretOfStation(station: number): string {
  return `${station}-${randomBytes(32).toString('base64url')}`;
}

/** The number of the station that issued a secret; undefined: it is no such secret. */
export function stationOfSecret(secret: string | undefined): number | undefined {
  const number = /^(\d{1,3})-/.exec(secret ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}
