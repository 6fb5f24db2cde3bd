import type { District } from './districts.ts';
import type { NamesByLanguage } from './names.ts';
import type { BoundingBox, Line } from '../geometry/metres.ts';

/** A thing that can be found by name: a row of `document` in places.db. */
export interface Document {
  kind: 'street' | 'place' | 'object';
  /** Its kind: `residential`, `village`, `hospital`. */
  sort: string;
  /** The name on its signs first. */
  names: string[];
  inLanguages?: NamesByLanguage | undefined;
  /** 1e-7 degrees */
  lon: number;
  lat: number;
  box: BoundingBox;
  zoom: number;
  /** 0 to 1: how likely it is meant among equal names. */
  importance: number;
  /** The districts that contain it, most specific first. */
  districts: readonly District[];
  /** As its own tags and those of its houses name them. */
  postcodes?: Set<string>;
  towns?: Set<string>;
  /** Further search words: its kind, its owner, the postcodes of a place. */
  also?: string[];
  /** Only objects: the number on the sign of a stop, a hydrant, an exit, as tagged. */
  ref?: string;
  /** Only streets: their lines, joined as far as possible. */
  lines?: Line[];
  /** Assigned at the end: 1 is the most important. */
  id: number;
}
