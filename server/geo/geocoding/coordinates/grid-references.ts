import type { LonLatPoint } from './coordinates.ts';

/** Letters of grids leave out I and O, which look like digits. */
const BANDS = 'CDEFGHJKLMNPQRSTUVWX';
const COLUMNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const ROWS = 'ABCDEFGHJKLMNPQRSTUV';
const UTM =
  /^(\d{1,2})\s*([C-HJ-NP-X])\s*(\d{6}(?:\.\d{1,4})?)\s*(?:M?E)?\s*[,;]?\s*(\d{6,7}(?:\.\d{1,4})?)\s*(?:M?N)?$/;
const MGRS = /^(\d{1,2})\s*([C-HJ-NP-X])\s*([A-HJ-NP-Z])([A-HJ-NP-V])\s*(\d{2,5})\s*(\d{2,5})$/;

/**
 * The point that a reference to the UTM grid ("33S 455000 3972000") or the military grid ("33S VV 55000
 * 72000") names: of a square its middle.
 */
export function parseGridReference(text: string): LonLatPoint | undefined {
  const asked = text.trim().toUpperCase();
  const [, utmZone, utmBand, easting, northing] = UTM.exec(asked) ?? [];
  if (utmZone !== undefined && Number(utmZone) >= 1 && Number(utmZone) <= 60)
    return fromUtm(Number(utmZone), utmBand! >= 'N', Number(easting), Number(northing));
  return military(asked);
}

function military(text: string): LonLatPoint | undefined {
  const [, zoneText, band, column, row, first, second] = MGRS.exec(text) ?? [];
  const digits = `${first}${second}`;
  const zone = Number(zoneText),
    places = digits.length / 2;
  if (first === undefined || second === undefined || zone < 1 || zone > 60 || digits.length % 2 !== 0 || places > 5)
    return undefined;
  // Where a space parts the two, neither has digits of the other.
  if (/\d\s+\d+$/.test(text) && first.length !== second.length) return undefined;
  // Columns begin again every third zone, eight to a zone; rows are shifted by five in even zones.
  const columnAt = COLUMNS.indexOf(column!) - ((zone - 1) % 3) * 8;
  if (columnAt < 0 || columnAt > 7) return undefined;
  const size = 10 ** (5 - places);
  const easting = (columnAt + 1) * 100_000 + (Number(digits.slice(0, places)) + 0.5) * size;
  const inRow =
    ((ROWS.indexOf(row!) - (zone % 2 === 0 ? 5 : 0) + 20) % 20) * 100_000 + (Number(digits.slice(places)) + 0.5) * size;
  // Rows come again every 2000 km; the band, 8° high, says which of them is meant.
  const south = BANDS.indexOf(band!) * 8 - 80,
    north = band === 'X' ? 84 : south + 8;
  for (let northing = inRow; northing < 10_000_000; northing += 2_000_000) {
    const point = fromUtm(zone, band! >= 'N', easting, northing);
    if (point && point.lat > south - 0.5 && point.lat < north + 0.5) return point;
  }
  return undefined;
}

const FLATTENING = 1 / 298.257223563;
const THIRD = FLATTENING / (2 - FLATTENING);
const RADIUS = (6_378_137 / (1 + THIRD)) * (1 + THIRD ** 2 / 4 + THIRD ** 4 / 64);
const SCALE = 0.9996;
const BETA = [
  THIRD / 2 - (2 / 3) * THIRD ** 2 + (37 / 96) * THIRD ** 3,
  THIRD ** 2 / 48 + THIRD ** 3 / 15,
  (17 / 480) * THIRD ** 3,
];
const DELTA = [
  2 * THIRD - (2 / 3) * THIRD ** 2 - 2 * THIRD ** 3,
  (7 / 3) * THIRD ** 2 - (8 / 5) * THIRD ** 3,
  (56 / 15) * THIRD ** 3,
];

/**
 * From UTM to WGS 84 with Krüger's series (Krüger 1912, Karney 2011), to millimetres within a zone. Metres;
 * undefined beyond the grid.
 */
function fromUtm(zone: number, north: boolean, easting: number, northing: number): LonLatPoint | undefined {
  const xi = (northing - (north ? 0 : 10_000_000)) / (SCALE * RADIUS),
    eta = (easting - 500_000) / (SCALE * RADIUS);
  let flatXi = xi,
    flatEta = eta;
  BETA.forEach((beta, i) => {
    const times = 2 * (i + 1);
    flatXi -= beta * Math.sin(times * xi) * Math.cosh(times * eta);
    flatEta -= beta * Math.cos(times * xi) * Math.sinh(times * eta);
  });
  const conformal = Math.asin(Math.sin(flatXi) / Math.cosh(flatEta));
  let lat = conformal;
  DELTA.forEach((delta, i) => {
    lat += delta * Math.sin(2 * (i + 1) * conformal);
  });
  const lon = zone * 6 - 183 + (Math.atan2(Math.sinh(flatEta), Math.cos(flatXi)) * 180) / Math.PI;
  const degrees = (lat * 180) / Math.PI;
  return Math.abs(degrees) <= 84.5 && Math.abs(lon) <= 180 ? { lon, lat: degrees } : undefined;
}
