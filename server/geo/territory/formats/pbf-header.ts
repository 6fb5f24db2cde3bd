import { PbfReader } from 'pbf';
import type { Bounds } from '../../../../shared/geo/bounds.ts';
import type { ExtractBuilder } from '../extract/extract-builder.ts';
import { BadExtract } from './bad-extract.ts';

const UNDERSTOOD = new Set(['OsmSchema-V0.6', 'DenseNodes']);

/** Reads bounds and time of the data from an `OSMHeader` block; refuses files with unsupported features. */
export function addHeader(data: Uint8Array, builder: ExtractBuilder): void {
  new PbfReader(data).readFields((tag, _, pbf) => {
    if (tag === 1) builder.bounds = readBounds(pbf) ?? builder.bounds;
    else if (tag === 4) checkFeature(pbf.readString());
    else if (tag === 5) noticeOption(pbf.readString());
    else if (tag === 32) builder.dataIsOf(pbf.readVarint(true) * 1000);
  }, undefined);
}

function checkFeature(feature: string): void {
  if (feature === 'HistoricalInformation')
    throw new BadExtract('The file holds the history of the map; use an extract with the present state only');
  if (!UNDERSTOOD.has(feature))
    throw new BadExtract(`The file needs the feature ${feature}, which is not understood here`);
}

function noticeOption(feature: string): void {
  // Such files omit nodes without tags, and roads need their nodes.
  if (feature === 'LocationsOnWays')
    throw new BadExtract(
      'The file keeps coordinates in its ways (LocationsOnWays); use an extract that keeps them in its nodes',
    );
}

/** 1e-9 degrees */
function readBounds(pbf: PbfReader): Bounds | undefined {
  const box = { west: NaN, east: NaN, north: NaN, south: NaN };
  pbf.readMessage((tag, into, message) => {
    if (tag === 1) into.west = message.readSVarint() / 1e9;
    else if (tag === 2) into.east = message.readSVarint() / 1e9;
    else if (tag === 3) into.north = message.readSVarint() / 1e9;
    else if (tag === 4) into.south = message.readSVarint() / 1e9;
  }, box);
  const sound =
    box.west >= -180 &&
    box.east <= 180 &&
    box.south >= -90 &&
    box.north <= 90 &&
    box.west < box.east &&
    box.south < box.north;
  return sound ? [box.west, box.south, box.east, box.north] : undefined;
}
