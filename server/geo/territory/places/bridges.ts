import Flatbush from 'flatbush';
import type { OsmExtract } from '../extract/extract.ts';
import type { Document } from './document.ts';
import { halfway } from '../geometry/metres.ts';
import type { Line } from '../geometry/metres.ts';
import type { NamedBridges } from './objects.ts';
import type { Streets } from './streets.ts';
import { lineOf } from './surfaces.ts';

/** A road on a bridge: a point on it is on the bridge, and not at the house on the bank. */
export interface Bridge {
  /** The bridge where it has a name of its own, else the street. */
  document: Document;
  line: Line;
}

/**
 * The roads on bridges, if they or their bridges have names: that of the road itself, or that of the surface
 * under its middle.
 */
export function findBridges(extract: OsmExtract, streets: Streets, { ofWay, surfaces }: NamedBridges): Bridge[] {
  const index = surfaces.length > 0 ? new Flatbush(surfaces.length) : undefined;
  for (const {
    area: { box },
  } of surfaces)
    index!.add(box.west, box.south, box.east, box.north);
  index?.finish();
  const bridges: Bridge[] = [];
  for (const way of extract.ways.having('bridge')) {
    const tags = extract.ways.tags(way);
    const line = tags.bridge === 'no' || tags.highway === undefined ? undefined : lineOf(extract, way);
    if (!line || line.length < 4) continue;
    const { lon, lat } = halfway(line);
    const surface = index?.search(lon, lat, lon, lat).find((at) => surfaces[at]!.area.contains(lon, lat));
    const document =
      ofWay.get(way) ?? (surface === undefined ? streets.documents[streets.ofWay[way]!] : surfaces[surface]!.document);
    if (document) bridges.push({ document, line });
  }
  return bridges;
}
