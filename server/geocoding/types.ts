export type HitKind = 'address' | 'street' | 'place' | 'object' | 'corner';

export interface Hit {
  id: number;
  kind: HitKind;
  /** One line, most specific first: "Rua das Flores 12, Sé, Porto". */
  label: string;
  /** The end of the label that says where the thing lies: "Sé, Porto". */
  area?: string;
  /**
   * What it is, mostly in OpenStreetMap's words: `residential`, `village`, `hospital`; else `house`, `corner`
   * or `milestone`.
   */
  sort?: string;
  lon: number;
  lat: number;
  /** A zoom at which the thing fills a map. */
  zoom: number;
  /** 0 to 1, comparable within one answer. */
  score: number;
  /** metres from the point that the search favoured, if any */
  distance?: number;
}

/**
 * Searches places.db in a worker with its own read-only connection. Refuses with `busy` while a worker that
 * died is replaced.
 */
export interface Geocoder {
  search(question: { query: string; near?: { lon: number; lat: number }; limit: number }): Promise<Hit[]>;
  /**
   * The nearest address; on a bridge or in a square, with no house within 25 m, that; where there is no
   * address within 150 m, whatever is nearer, an address or a street; undefined when there is neither within
   * 2 km.
   */
  reverse(point: { lon: number; lat: number }): Promise<Hit | undefined>;
  /** Goes over to another territory; undefined: none. */
  open(directory: string | undefined): Promise<void>;
  close(): Promise<void>;
}
