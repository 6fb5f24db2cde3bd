import { readLook, type ShellLook } from '../../shared/bridge.ts';

/** A station that somebody on the local network says it is. */
export interface StationNearby {
  readonly name: string;
  readonly address: string;
  readonly fingerprint: string;
}

/** A certificate that a station showed. Dates as in the certificate: `Nov 25 22:50:33 2026 GMT`. */
export interface ShownCertificate {
  readonly fingerprint: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validTo: string;
}

/** A station that has answered. */
export interface StationFacts {
  readonly address: string;
  readonly name: string;
  readonly version: string;
  readonly certificate: ShownCertificate | undefined;
}

/** Why there is no connection. `detail` is for a person who knows networks: a code of the system. */
export interface Problem {
  readonly code:
    | 'unknown-host'
    | 'refused'
    | 'no-answer'
    | 'no-way'
    | 'no-tls'
    | 'no-station'
    | 'plain'
    | 'wrong-address'
    | 'broken-off'
    | 'wrong-file';
  readonly detail?: string;
}

/** States of the page. Each one names the way on. */
export type ConnectState =
  | {
      readonly kind: 'choose';
      readonly nearby: readonly StationNearby[];
      readonly problem?: Problem;
      readonly now?: string;
    }
  | { readonly kind: 'asking'; readonly address: string }
  | { readonly kind: 'confirm'; readonly station: StationFacts }
  | { readonly kind: 'waiting'; readonly address: string; readonly name?: string; readonly problem: Problem }
  | {
      readonly kind: 'changed';
      readonly address: string;
      readonly name?: string;
      readonly known: string;
      readonly shown: ShownCertificate;
      /** False: an administrator has set the fingerprint, and only they change it. */
      readonly mayAccept: boolean;
    }
  | {
      readonly kind: 'version';
      readonly station: StationFacts;
      readonly own: string;
      readonly relation: 'older' | 'newer';
    }
  | { readonly kind: 'wrong-settings'; readonly file: string; readonly detail: string };

/** All that the page knows. */
export interface ConnectView {
  readonly state: ConnectState;
  readonly look: ShellLook;
  /** False: an administrator has chosen the station. */
  readonly mayChoose: boolean;
}

/** Requests of the page. */
export type ConnectRequest =
  | { readonly ask: 'view' }
  | { readonly ask: 'here' }
  | { readonly ask: 'station'; readonly address: string }
  | { readonly ask: 'file' }
  | { readonly ask: 'confirm'; readonly fingerprint: string }
  | { readonly ask: 'open' }
  | { readonly ask: 'retry' }
  | { readonly ask: 'choose' }
  | { readonly ask: 'look'; readonly look: ShellLook };

/** The page's own bridge, `window.waypostConnect`. */
export interface ConnectBridge {
  send(request: ConnectRequest): void;
  onView(listener: (view: ConnectView) => void): void;
}

export const CONNECT_BRIDGE = 'waypostConnect';
export const CONNECT_CHANNELS = { request: 'waypost-connect:request', view: 'waypost-connect:view' } as const;

/** The request that a page sent; undefined for anything else. */
export function readRequest(value: unknown): ConnectRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ask, address, fingerprint, look } = value as Record<string, unknown>;
  switch (ask) {
    case 'view':
    case 'here':
    case 'file':
    case 'open':
    case 'retry':
    case 'choose':
      return { ask };
    case 'station':
      return typeof address === 'string' && address.length <= 300 ? { ask, address } : undefined;
    case 'confirm':
      return typeof fingerprint === 'string' && fingerprint.length <= 100 ? { ask, fingerprint } : undefined;
    case 'look': {
      const wanted = readLook(look);
      return wanted && { ask, look: wanted };
    }
    default:
      return undefined;
  }
}
