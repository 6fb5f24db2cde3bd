import type { User } from '@nats-io/jwt';
import { Subjects } from '../subjects.ts';

/** Kinds of programs in a region, each with the permissions of its credentials. */
export const ROLES = ['station', 'depot', 'gateway', 'maps', 'worker'] as const;
export type RegionRole = (typeof ROLES)[number];

export function isRegionRole(word: string | undefined): word is RegionRole {
  return ROLES.some((role) => role === word);
}

export interface RoleOptions {
  readonly region: string;
  /** JetStream domain of the centre; undefined: the servers have no domains. */
  readonly domain?: string | undefined;
  /** JetStream domain of the leaf node where a gateway stores positions; undefined: in the centre. */
  readonly depot?: string | undefined;
}

type RolePermissions = Pick<User, 'pub' | 'sub' | 'resp' | 'allowed_connection_types'>;

/** ns in which a question may be answered. */
const ANSWERED_WITHIN = 60 * 1e9;

/**
 * Answers come to a subject that begins with the user's own key, so that no user can read those of another.
 * @param publicKey of the user
 */
export function inboxOf(publicKey: string): string {
  return `_INBOX.${publicKey}`;
}

/** The permissions of a user of this role, as NATS writes them; without a list everything is allowed. */
export function permissionsOf(role: RegionRole, publicKey: string, options: RoleOptions): Partial<RolePermissions> {
  const own = `${inboxOf(publicKey)}.>`;
  const subjects = new Subjects(options.region);
  switch (role) {
    case 'station':
      return { allowed_connection_types: ['STANDARD'] };
    case 'depot':
      return { allowed_connection_types: ['LEAFNODE'] };
    case 'gateway':
      return {
        pub: { allow: publishedByGateway(options) },
        sub: { allow: [own] },
        allowed_connection_types: ['STANDARD'],
      };
    case 'worker':
      return {
        pub: { allow: publishedByWorker(options) },
        sub: { allow: [own, subjects.station()] },
        allowed_connection_types: ['STANDARD'],
      };
    case 'maps':
      return {
        pub: { deny: ['>'] },
        sub: { allow: [own, subjects.mapQuestion('*', '*', '*'), subjects.mapConditions] },
        resp: { max: 1, ttl: ANSWERED_WITHIN },
        allowed_connection_types: ['STANDARD'],
      };
  }
}

/** A gateway stores positions, says which devices it does not know, and reads the vehicles of the changes. */
function publishedByGateway({ region, domain, depot }: RoleOptions): string[] {
  const subjects = new Subjects(region);
  const centre = apiPrefix(domain);
  const { changesStream } = subjects;
  return [
    ...subjects.positions(depot),
    subjects.unknownDevices,
    `${apiPrefix(depot ?? domain)}.INFO`,
    `${apiPrefix(depot ?? domain)}.STREAM.INFO.${subjects.positionsStream}`,
    `${centre}.INFO`,
    `${centre}.STREAM.INFO.${changesStream}`,
    // The name of the API ends with the filter: no other records are read.
    `${centre}.CONSUMER.CREATE.${changesStream}.*.${subjects.changesOf('vehicles')}`,
    ...followed(centre, changesStream),
  ];
}

/** A worker reads records and positions, and writes leases and the logs of partitions. */
function publishedByWorker({ region, domain }: RoleOptions): string[] {
  const subjects = new Subjects(region);
  const centre = apiPrefix(domain);
  const { changesStream, positionsStream, revisionsStream, leasesStream } = subjects;
  const read = (api: string, stream: string) => [
    `${api}.STREAM.INFO.${stream}`,
    `${api}.CONSUMER.CREATE.${stream}.>`,
    ...followed(api, stream),
  ];
  // Depots have domains of their own.
  const anywhere = domain === undefined ? [] : read(apiPrefix('*'), positionsStream);
  return [
    subjects.revisions,
    subjects.leases,
    `${centre}.INFO`,
    ...[changesStream, positionsStream, revisionsStream, leasesStream].flatMap((stream) => read(centre, stream)),
    ...[revisionsStream, leasesStream].map((stream) => `${centre}.STREAM.CREATE.${stream}`),
    ...anywhere,
    ...(domain === undefined ? [] : [`${apiPrefix('*')}.INFO`]),
  ];
}

/** Questions of a program that follows a stream. */
function followed(api: string, stream: string): string[] {
  return ['INFO', 'DELETE', 'MSG.NEXT'].map((question) => `${api}.CONSUMER.${question}.${stream}.*`);
}

/** Where JetStream of a domain is asked. */
function apiPrefix(domain: string | undefined): string {
  return domain === undefined ? '$JS.API' : `$JS.${domain}.API`;
}
