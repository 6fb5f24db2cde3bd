import type { TrackEntry } from '../tracks/stored-point.ts';

/** Formats in which a track leaves the station; each has a path of its own. */
export const TRACK_FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;
export type TrackFormat = (typeof TRACK_FORMATS)[number];

/** Pages of points, oldest first; each call reads them again. */
export type TrackPages = () => Iterable<readonly TrackEntry[]>;

/** ms between two points after which a GPX track has a new segment. */
const GAP = 600_000;
/** km/h to m/s. */
const KMH = 3.6;

/** A track as text of a format, page by page. Only CSV has the implausible points. */
export function* trackText(format: TrackFormat, name: string, pages: TrackPages): Generator<string> {
  let head: string | undefined;
  for (const piece of piecesOf(format, name, pages)) {
    // The head comes with the first points: when those cannot be read, nothing is sent yet.
    if (head === undefined) head = piece;
    else {
      yield head + piece;
      head = '';
    }
  }
  if (head) yield head;
}

function piecesOf(format: TrackFormat, name: string, pages: TrackPages): Iterable<string> {
  switch (format) {
    case 'gpx':
      return gpx(name, pages);
    case 'kml':
      return kml(name, pages);
    case 'geojson':
      return geojson(pages);
    case 'csv':
      return csv(pages);
  }
}

function* gpx(name: string, pages: TrackPages): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1" xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2"><trk><name>${escaped(name)}</name><trkseg>`;
  let last: number | undefined;
  for (const page of pages()) {
    const parts: string[] = [];
    for (const { time, lat, lon, height, speed, direction } of page.filter(isBelieved)) {
      if (last !== undefined && time - last > GAP) parts.push('</trkseg><trkseg>');
      last = time;
      const more = `<tpx:speed>${round(speed / KMH)}</tpx:speed><tpx:course>${round(direction)}</tpx:course>`;
      parts.push(
        `<trkpt lat="${lat}" lon="${lon}"><ele>${height}</ele><time>${iso(time)}</time><extensions><tpx:TrackPointExtension>${more}</tpx:TrackPointExtension></extensions></trkpt>\n`,
      );
    }
    yield parts.join('');
  }
  yield '</trkseg></trk></gpx>\n';
}

/** `gx:Track` wants all times before all places, so the points are read twice. */
function* kml(name: string, pages: TrackPages): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><Placemark><name>${escaped(name)}</name><gx:Track>`;
  for (const page of pages())
    yield page
      .filter(isBelieved)
      .map(({ time }) => `<when>${iso(time)}</when>\n`)
      .join('');
  for (const page of pages())
    yield page
      .filter(isBelieved)
      .map(({ lon, lat, height }) => `<gx:coord>${lon} ${lat} ${height}</gx:coord>\n`)
      .join('');
  yield '</gx:Track></Placemark></Document></kml>\n';
}

function* geojson(pages: TrackPages): Generator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = '';
  for (const page of pages()) {
    const features = page.filter(isBelieved).map(({ time, lat, lon, height, speed, direction }) =>
      JSON.stringify({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lon, lat, height] },
        properties: { time: iso(time), speed, direction },
      }),
    );
    if (features.length === 0) continue;
    yield separator + features.join(',\n');
    separator = ',\n';
  }
  yield ']}\n';
}

function* csv(pages: TrackPages): Generator<string> {
  yield 'time,lat,lon,height,speed,direction,marks\r\n';
  for (const page of pages())
    yield page
      .map(({ time, lat, lon, height, speed, direction, marks }) =>
        [iso(time), lat, lon, height, speed, direction, marks.join(' ')].join(',').concat('\r\n'),
      )
      .join('');
}

function isBelieved({ marks }: TrackEntry): boolean {
  return marks.length === 0;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
