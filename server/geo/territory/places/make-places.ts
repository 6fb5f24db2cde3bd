import { join } from 'node:path';
import type { Maker } from '../types.ts';
import { TERRITORY_FILES } from '../types.ts';
import { findAddresses } from './addresses.ts';
import type { Address } from './addresses.ts';
import { findBridges } from './bridges.ts';
import { findCorners } from './corners.ts';
import { findDistricts, placeDocuments } from './districts.ts';
import type { District } from './districts.ts';
import type { Document } from './document.ts';
import { findObjects } from './objects.ts';
import { findMilestones } from './road-marks.ts';
import { findSquares } from './squares.ts';
import { findStreets } from './streets.ts';
import { writePlaces } from './write-places.ts';

/**
 * Writes places.db: everything that can be found by name, and where. Counts settlements and quarters, and
 * house numbers.
 */
export const makePlaces: Maker<{ places: number; addresses: number }> = async (extract, directory, report) => {
  const districts = findDistricts(extract);
  report(0.1);
  const documentOf = placeDocuments(districts);
  const places = [...documentOf.values()];
  const streets = findStreets(extract, districts);
  report(0.3);
  const corners = findCorners(extract, streets).map(({ a, b, lon, lat }) => ({
    a: streets.documents[a]!,
    b: streets.documents[b]!,
    lon,
    lat,
  }));
  report(0.4);
  const addresses = findAddresses(extract, streets.documents, places, districts);
  addPostcodes(addresses, documentOf);
  report(0.5);
  const { objects, bridges: namedBridges } = findObjects(extract, districts);
  report(0.6);
  const documents: Document[] = [...places, ...streets.documents, ...objects];
  const bridges = findBridges(extract, streets, namedBridges);
  const squares = findSquares(extract, streets);
  const milestones = findMilestones(extract, streets);
  writePlaces(
    join(directory, TERRITORY_FILES.places),
    { documents, addresses, corners, bridges, squares, milestones, bounds: extract.bounds },
    (done) => report(0.6 + 0.4 * done),
  );
  return { places: places.length, addresses: addresses.length };
};

/** The settlements of the streets that have a postcode are found by it. */
function addPostcodes(addresses: readonly Address[], documentOf: ReadonlyMap<District, Document>): void {
  for (const street of new Set(addresses.map(({ document }) => document))) {
    const settlement = street.districts.find(({ tier }) => tier === 'settlement');
    const place = settlement && documentOf.get(settlement);
    if (!place || !street.postcodes) continue;
    place.also = [...new Set([...(place.also ?? []), ...street.postcodes])].slice(0, MAX_POSTCODES);
  }
}

const MAX_POSTCODES = 100;
