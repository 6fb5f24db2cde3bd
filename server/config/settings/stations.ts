import { z } from 'zod';
import { PARTITIONS } from '../../replication/nats/subjects.ts';
import { setting } from '../setting.ts';
import { list, port } from '../values.ts';

const ALL_PARTITIONS = Array.from({ length: PARTITIONS }, (_, partition) => partition);

/** Of `3`, or of `0-3`. What is no such word gives no number. */
function numbersOf(word: string): number[] {
  const [first = NaN, last = first] = word.split('-').map((part) => (part === '' ? NaN : Number(part)));
  if (!(last - first < 1_000)) return [NaN];
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, at) => (last < first ? NaN : first + at));
}

const partitions = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).flatMap(numbersOf) : value),
    z
      .array(
        z
          .int()
          .min(0)
          .max(PARTITIONS - 1),
      )
      .max(PARTITIONS),
  )
  .nullable();

/** Name of a JetStream domain: it becomes part of subjects. */
const domain = z.string().regex(/^[A-Za-z0-9_-]{1,40}$/, 'must have letters, digits, - and _ only');

const stationAddresses = list.pipe(
  z.array(
    z
      .string()
      .regex(/^([0-9]|[1-9]\d|1\d\d|20\d|21[0-3])=https?:\/\/[^\s/]+\/?$/, 'must be such as 1=https://10.0.0.11:8443'),
  ),
);

/** The station among others: name, number, links, and the NATS servers of a region. */
export const STATION_SETTINGS = {
  'name': setting({
    schema: z.string().min(1).max(100),
    default: 'Waypost',
    flag: 'name',
    environment: 'WAYPOST_NAME',
    reason: 'Name of the station, for people.',
  }),
  'stationNumber': setting({
    schema: z.int().min(0).max(213),
    default: 0,
    environment: 'WAYPOST_STATION_NUMBER',
    reason:
      'Number of the station among linked ones; ids made here begin with it. It cannot change after the first start.',
  }),
  'serve.role': setting({
    schema: z.enum(['station', 'maps', 'consoles']),
    default: 'station',
    flag: 'role',
    environment: 'WAYPOST_ROLE',
    reason:
      'What `serve` serves: a station; only maps: routes, addresses and tiles of the territory, without accounts and records, to everybody who reaches the port; or consoles of a region from a copy of its records.',
  }),
  'consoles.stations': setting({
    schema: stationAddresses,
    default: [],
    environment: 'WAYPOST_CONSOLES_STATIONS',
    reason:
      'Where a console server sends what is not in its copy: NUMBER=ADDRESS of each station (1=https://10.0.0.11:8443). A change goes to the station that made the record, everything else to the first one.',
  }),
  'consoles.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_CONSOLES_AUTHORITY',
    reason:
      'PEM file with the certificates of those stations, or of the authority that signed them. Default: the well-known authorities.',
  }),
  'links.discovery': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_LINKS_DISCOVERY',
    reason:
      'Stations on the local network find each other (multicast DNS) and are offered for pairing; none is linked without a code. Off if the station listens only on its own machine.',
  }),
  'nats.servers': setting({
    schema: list,
    default: [],
    flag: 'nats-servers',
    environment: 'WAYPOST_NATS_SERVERS',
    reason:
      'Addresses of NATS servers with JetStream (nats://10.0.0.1:4222), any of which is enough: the stations of a region replicate through them. If not set: stations have links to each other.',
  }),
  'nats.region': setting({
    schema: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must have small letters, digits and dashes only'),
    default: 'main',
    flag: 'nats-region',
    environment: 'WAYPOST_NATS_REGION',
    reason: 'Name of the region on these servers.',
  }),
  'nats.credentials': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    flag: 'nats-credentials',
    environment: 'WAYPOST_NATS_CREDENTIALS',
    reason:
      'File with the credentials of this station at the servers (.creds). If not set: the servers accept everybody.',
  }),
  'nats.authority': setting({
    schema: z.string().min(1).max(4096).nullable(),
    default: null,
    environment: 'WAYPOST_NATS_AUTHORITY',
    reason:
      'PEM file of the authority that signed the certificates of the servers. Default: the well-known authorities.',
  }),
  'nats.replicas': setting({
    schema: z.union([z.literal(1), z.literal(3), z.literal(5)]),
    default: 1,
    environment: 'WAYPOST_NATS_REPLICAS',
    reason: 'On how many servers each record is stored before it counts as stored: 3 or 5 in a cluster.',
  }),
  'nats.domain': setting({
    schema: domain.nullable(),
    default: null,
    environment: 'WAYPOST_NATS_DOMAIN',
    reason:
      'JetStream domain of the centre, where depots have leaf nodes with domains of their own. The servers have none.',
  }),
  'nats.depot': setting({
    schema: domain.nullable(),
    default: null,
    environment: 'WAYPOST_NATS_DEPOT',
    reason:
      'JetStream domain of the leaf node that stores what this gateway receives, also while the centre is away. The centre stores it.',
  }),
  'nats.depots': setting({
    schema: z.preprocess(
      (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter((part) => part !== '') : value),
      z.array(domain).max(100),
    ),
    default: [],
    environment: 'WAYPOST_NATS_DEPOTS',
    reason: 'JetStream domains of depots whose positions this station reads, besides those of the centre.',
  }),
  'gateway.port': setting({
    schema: port.nullable(),
    default: null,
    environment: 'WAYPOST_GATEWAY_PORT',
    reason: 'Port on which a gateway answers /health, /ready and /metrics, to everybody. Default: closed.',
  }),
  'worker.port': setting({
    schema: port.nullable(),
    default: null,
    environment: 'WAYPOST_WORKER_PORT',
    reason: 'Port on which an event worker answers /health, /ready and /metrics, to everybody. Default: closed.',
  }),
  'nats.maps': setting({
    schema: z.boolean(),
    default: false,
    environment: 'WAYPOST_NATS_MAPS',
    reason:
      'Map services of the region (`serve --role maps` with its servers) answer tables, trips, matched tracks and batches of addresses for this station, while they have the same territory.',
  }),
  'nats.partitions': setting({
    schema: partitions,
    default: ALL_PARTITIONS,
    flag: 'partitions',
    environment: 'WAYPOST_NATS_PARTITIONS',
    reason: `Of which vehicles this station keeps the positions that gateways of the region receive, or whose events an event worker may compute: numbers from 0 to ${PARTITIONS - 1}, the id of a vehicle modulo ${PARTITIONS}. Default: all; off: none.`,
  }),
} as const;
