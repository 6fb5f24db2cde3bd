export type HitKind = 'address' | 'street' | 'place' | 'object' | 'corner';

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
  /** metres from the point `near`, if given */
  distance?: number;
}

/**
 * Searches `places.db` in a worker with its own read-only connection. Refuses with `busy` while a dead worker
 * is replaced.
 */
export interface Geocoder {
  search(question: { query: string; near?: { lon: number; lat: number }; limit: number }): Promise<Hit[]>;
  /**
   * The nearest address. On a bridge or in a square without a house within 25 m: the bridge or square.
   * Without an address within 150 m: the nearer of an address and a street. Undefined without either within 2
   * km.
   */
  reverse(point: { lon: number; lat: number }): Promise<Hit | undefined>;
  /** Switches to another territory. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
