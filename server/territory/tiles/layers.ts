/** What the tiles hold is described, for those who write styles, in `server/map/README.md`. */
export const LAYERS = [
  'earth',
  'landuse',
  'water',
  'waterway',
  'barrier',
  'building',
  'aeroway',
  'rail',
  'road',
  'boundary',
  'place',
  'poi',
  'housenumber',
] as const;
export type Layer = (typeof LAYERS)[number];

/** Clients overzoom from here. */
export const MAX_ZOOM = 15;

export type Attribute = string | number | true;

/** What a thing of the extract is on the map. */
export interface DrawnAs {
  readonly layer: Layer;
  /** The first zoom at which it is drawn; areas are drawn later the smaller they are (`LEAST_PIXELS`). */
  readonly minZoom: number;
  /**
   * -128 to 127: what comes first within the layer, and is painted first. Of points the most important come
   * first, since labels are placed as they come.
   */
  readonly order: number;
  readonly attributes: readonly (readonly [string, Attribute | undefined])[];
}
