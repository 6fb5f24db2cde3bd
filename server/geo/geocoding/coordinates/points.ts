/** Degrees. */
interface PointOfText {
  lon: number;
  lat: number;
}

const NUMBER = String.raw`([+-]?\d{1,3}(?:\.\d{1,15})?)`;
/** WKT: "POINT(37.5 55.8)", "SRID=4326;POINT Z (37.5 55.8 120)". */
const WKT = new RegExp(
  String.raw`^(?:SRID ?= ?4326 ?; ?)?POINT ?Z? ?\( ?${NUMBER} ${NUMBER}(?: [+-]?\d{1,5}(?:\.\d{1,9})?)? ?\)$`,
  'i',
);
/** The pair of a GeoJSON point, alone or in its object. */
const GEOJSON = new RegExp(
  String.raw`^\{[^[\]]{0,160}"coordinates" ?: ?\[ ?${NUMBER} ?, ?${NUMBER}(?: ?, ?[^\]]{1,20})?\][^[\]]{0,160}\}$`,
);
/** NMEA 0183: the position of GGA, GLL and RMC sentences, in degrees and minutes run together. */
const NMEA =
  /^\$?[A-Z]{2}(?:GGA,[\d.]{0,12},|GLL,|RMC,[\d.]{0,12},A,)(\d{2})(\d{2}(?:\.\d{1,8})?),([NS]),(\d{3})(\d{2}(?:\.\d{1,8})?),([EW])(?:,|\*|$)/;
/** Words before a pair of numbers that only say that it is one. */
const LEADING =
  /^(?:gps|wgs ?-?84|координат[аыуе]?|точка|место|coordinates?|coords?|coord|position|pos|location|loc|point|koordinaten?|standort|coordonn[ée]es|coordinate|coordinat[ae]s|coordenadas|współrzędne|координати)(?![\p{L}\p{N}])[\s:=.-]{1,3}(?=[^\p{L}\p{N}]{0,2}[\d+(-]|[NSEWСЮВЗ] ?\d|lat|шир)/iu;

/** The point of a text in a format of geographic data, longitude first where the format has it so. */
export function parseDataPoint(text: string): PointOfText | undefined {
  const line = text.replace(/\s+/g, ' ');
  const [, lon, lat] = WKT.exec(line) ?? GEOJSON.exec(line) ?? [];
  if (lon !== undefined && lat !== undefined) return { lon: Number(lon), lat: Number(lat) };
  const nmea = NMEA.exec(line);
  if (!nmea) return undefined;
  const north = Number(nmea[1]) + Number(nmea[2]) / 60,
    east = Number(nmea[4]) + Number(nmea[5]) / 60;
  return { lat: nmea[3] === 'S' ? -north : north, lon: nmea[6] === 'W' ? -east : east };
}

/** Without "GPS:" or "координаты" at its beginning. */
export function withoutLeadingWords(text: string): string {
  return text.replace(LEADING, '').trim();
}
