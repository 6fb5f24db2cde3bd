/** The view of a picture: its centre, and the zoom as the console counts it. */
export interface PictureView {
  readonly lon: number;
  readonly lat: number;
  /** 0 to 19, fractions allowed */
  readonly zoom: number;
  /** pixels at 96 per inch */
  readonly width: number;
  readonly height: number;
}

/** A tile of the view, and where its corner lies in the picture. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** pixels */
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The tiles of a view: of its own zoom, or of the closest available one. */
export function tilesOf({ lon, lat, zoom, width, height }: PictureView, maxZoom: number): TilePlace[] {
  const z = Math.max(0, Math.min(maxZoom, Math.floor(zoom)));
  const side = 256 * 2 ** (zoom - z);
  const sin = Math.sin((Math.max(-85, Math.min(85, lat)) * Math.PI) / 180);
  const centreX = (lon / 360 + 0.5) * 2 ** z * side;
  const centreY = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z * side;
  const places: TilePlace[] = [];
  for (let y = Math.floor((centreY - height / 2) / side); y <= Math.floor((centreY + height / 2) / side); y++) {
    for (let x = Math.floor((centreX - width / 2) / side); x <= Math.floor((centreX + width / 2) / side); x++) {
      if (y < 0 || y >= 2 ** z) continue;
      places.push({
        z,
        x: ((x % 2 ** z) + 2 ** z) % 2 ** z,
        y,
        left: x * side - centreX + width / 2,
        top: y * side - centreY + height / 2,
        side,
      });
    }
  }
  return places;
}
