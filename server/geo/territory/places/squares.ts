import type { OsmExtract } from '../extract/extract.ts';
import type { Document } from './document.ts';
import type { Line } from '../geometry/metres.ts';
import type { Streets } from './streets.ts';
import { areaOfWay } from './surfaces.ts';

/** A pedestrian area: a point in its middle is in the square, and not at a house around it. */
export interface Square {
  document: Document;
  /** Closed. */
  line: Line;
}

/** Named squares drawn as surfaces. A pedestrian street that only forms a loop has houses inside. */
export function findSquares(extract: OsmExtract, streets: Streets): Square[] {
  const squares: Square[] = [];
  for (const way of extract.ways.having('highway', 'place')) {
    const tags = extract.ways.tags(way);
    const document = streets.documents[streets.ofWay[way]!];
    if (!document || (tags.place !== 'square' && (tags.highway !== 'pedestrian' || tags.area !== 'yes'))) continue;
    const area = areaOfWay(extract, way);
    if (area) squares.push({ document, line: area.rings[0]! });
  }
  return squares;
}
