/** `server/geo/map/README.md` describes the contents of tiles for authors of styles. */
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

/** The meaning of an item of the extract on the map. */
export interface DrawnAs {
  readonly layer: Layer;
  /** The first zoom at which it is drawn; areas are drawn later the smaller they are (`MIN_PIXELS`). */
  readonly minZoom: number;
  /**
   * -128 to 127: the painting order within the layer. Of points the most important come first, because labels
   * are placed in order.
   */
  readonly order: number;
  readonly attributes: readonly (readonly [string, Attribute | undefined])[];
}
