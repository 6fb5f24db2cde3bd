import { createHash } from 'node:crypto';

/** The hash of an entry: SHA-256 over the hash before it, a line feed, and the entry as it is stored. */
export function chainHash(before: string, entry: string): string {
  return createHash('sha256').update(`${before}\n${entry}`).digest('hex');
}

export interface ChainLink {
  readonly id: number;
  readonly entry: string;
  readonly hash: string;
}

/** Where a chain stands: the last entry and its hash. */
export interface Head {
  readonly id: number;
  readonly hash: string;
}

/** The first thing that is wrong with the chain, by the entry at which it shows. */
export interface Break {
  readonly id: number;
  readonly fault: 'missing' | 'changed' | 'end-missing' | 'anchor';
}

/** Follows links from `head`. Returns the new head, or the first break. */
export function followChain(head: Head, links: Iterable<ChainLink>): Head | Break {
  for (const { id, entry, hash } of links) {
    if (id !== head.id + 1) return { id: head.id + 1, fault: 'missing' };
    if (chainHash(head.hash, entry) !== hash || idIn(entry) !== id) return { id, fault: 'changed' };
    head = { id, hash };
  }
  return head;
}

function idIn(entry: string): unknown {
  try {
    return (JSON.parse(entry) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}
