import type { LocationBias } from './query/query-context.ts';

export type HitKind = 'address' | 'street' | 'place' | 'object' | 'corner';

/** An address in parts; those that are not known are left out. */
export interface AddressParts {
  street?: string;
  number?: string;
  suburb?: string;
  city?: string;
  region?: string;
  postcode?: string;
  /** Only as the query names it. */
  country?: string;
}

export interface Hit {
  id: number;
  kind: HitKind;
  /** One line, most specific first: "Rua das Flores 12, Sé, Porto". */
  label: string;
  /** The end of the label, which says where the place lies: "Sé, Porto". */
  area?: string;
  /**
   * The kind, mostly a value of an OpenStreetMap tag: `residential`, `village`, `hospital`; else `house`,
   * `corner` or `milestone`.
   */
  sort?: string;
  lon: number;
  lat: number;
  /** A zoom at which the place fills a map. */
  zoom: number;
  /** 0 to 1, comparable within one answer. */
  score: number;
  parts?: AddressParts;
  /** Of a house: the number asked for, a place between its neighbours, or another letter or block. */
  match?: 'exact' | 'estimated' | 'other';
  /** The flat, floor or office in the query, as typed: for the crew. */
  unit?: string;
  /** metres from the point `near`, if given */
  distance?: number;
}

/** A text, or an address in fields. */
export interface SearchQuery {
  query: string;
  /** Instead of the text. */
  address?: AddressQuestion;
  near?: LocationBias;
  limit: number;
  /** One of many questions: nobody types it. */
  isOfBatch?: boolean;
  /** Of the user ("ru", "sr-Latn"): names are given in it where the data have them. */
  language?: string | undefined;
}

export interface AddressQuestion {
  street?: string | undefined;
  number?: string | undefined;
  city?: string | undefined;
  postcode?: string | undefined;
}

/**
 * Searches `places.db` in a worker with its own read-only connection. Refuses with `busy` while a dead worker
 * is replaced.
 */
export interface Geocoder {
  search(question: SearchQuery): Promise<Hit[]>;
  /**
   * The nearest address. On a bridge or in a square without a house within 25 m: the bridge or square.
   * Without an address within 150 m: the nearer of an address and a street. Undefined without either within 2
   * km.
   */
  reverse(point: { lon: number; lat: number }, language?: string): Promise<Hit | undefined>;
  /** Switches to another territory. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
