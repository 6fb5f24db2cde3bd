import type { District } from './districts.ts';
import type { BoundingBox, Line } from '../geometry/metres.ts';

/** One thing that can be found by its name: a row of `document` in places.db. */
export interface Document {
  kind: 'street' | 'place' | 'object';
  /** What it is: `residential`, `village`, `hospital`. */
  sort: string;
  /** The name on its signs first. */
  names: string[];
  /** 1e-7 degrees */
  lon: number;
  lat: number;
  box: BoundingBox;
  zoom: number;
  /** 0 to 1: how likely it is meant when names are alike. */
  importance: number;
  /** What it lies in, most specific first. */
  districts: readonly District[];
  /** Set by addresses along a street. */
  postcodes?: Set<string>;
  /** More words that find it: what it is, whose it is, the postcodes of a place. */
  also?: string[];
  /** Only objects: the number on the sign of a stop, a hydrant, an exit, as tagged. */
  ref?: string;
  /** Only streets: their run in lines that are as long as can be. */
  lines?: Line[];
  /** Given when all are known: 1 is the most important. */
  id: number;
}
