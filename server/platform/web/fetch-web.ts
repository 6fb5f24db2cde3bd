import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type BlockList, type LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { contains, networksOf } from '../networks.ts';

/**
 * Where a request may go. `anywhere` is for an address that an administrator chose; `outside` is for one that somebody
 * else named: it must not lead into the station's own network, in which its maker has no business.
 */
export type Reach = 'anywhere' | 'outside';

/** A request whose redirects the caller sees or refuses. They are new addresses, which need their own reach. */
export interface WebRequest extends RequestInit {
  readonly reach: Reach;
  readonly redirect: 'manual' | 'error';
}

/** The address lies inside of the own network, or on this machine. */
export class InsideAddress extends Error {
  readonly host: string;

  constructor(host: string) {
    super(`${host} is an address inside the own network.`);
    this.host = host;
  }
}

interface WebDoorOptions {
  /** As of `node:dns`. */
  readonly resolve?: (
    host: string,
    options: LookupAllOptions,
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void;
  readonly inside?: BlockList;
}

/**
 * The only way to request addresses that people typed or that others named. With the reach `outside` names
 * are resolved once: the connection goes to the checked address, even if the name changes.
 */
export function webDoor({ resolve = lookup, inside = INSIDE }: WebDoorOptions = {}): WebDoor {
  let agent: Agent | undefined;
  const lookupOutside: LookupFunction = (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) done(error, []);
      else if (!first)
        done(Object.assign(new Error(`${host} has no address.`), { code: 'ENOTFOUND', hostname: host }), []);
      // All of them: the connection may go to any.
      else if (addresses.some(({ address }) => contains(inside, address))) done(new InsideAddress(host), []);
      else if (options.all) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
  return {
    async fetch(url, { reach, ...request }) {
      if (reach === 'anywhere') return fetch(url, request);
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      // No lookup precedes a connection to an address in digits.
      if (isIP(host) !== 0 && contains(inside, host))
        throw new TypeError('fetch failed', { cause: new InsideAddress(host) });
      const undici = await import('undici');
      agent ??= new undici.Agent({ connect: { lookup: lookupOutside } });
      const options = { ...request, dispatcher: agent } as Parameters<typeof undici.fetch>[1];
      return (await undici.fetch(url, options)) as unknown as Response;
    },
    close: async () => agent?.destroy(),
  };
}

export interface WebDoor {
  /** As `fetch`. */
  fetch(url: string, request: WebRequest): Promise<Response>;
  close(): Promise<void>;
}

/** Private networks, those of this machine and its link, and anything that is not the address of one machine. */
const INSIDE = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::1', '::', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '64:ff9b:1::/48', '::ffff:0:0/96'],
])!;

const station = webDoor();
export const fetchWeb: WebDoor['fetch'] = (url, request) => station.fetch(url, request);
