const LONGEST = 1000;
const NUMBER = String.raw`(-?\d{1,3}(?:\.\d{1,15})?)`;
/** `geo:`, what stands behind "@" or "#map=17/", a pin, what a link asks for; the first that is there counts. */
const FORMS = [
  new RegExp(String.raw`^geo:${NUMBER},${NUMBER}`, 'i'), new RegExp(String.raw`[?&]mlat=${NUMBER}&mlon=${NUMBER}`, 'i'), new RegExp(String.raw`!3d${NUMBER}!4d${NUMBER}`),
  new RegExp(String.raw`@${NUMBER},${NUMBER}`), new RegExp(String.raw`#map=\d{1,2}(?:\.\d{1,4})?/${NUMBER}/${NUMBER}`), new RegExp(String.raw`[?&](?:q|ll|query|center|destination|daddr|near)=(?:loc:)?${NUMBER}(?:,|%2C)\+?${NUMBER}`, 'i'),
];
/** Maps that put longitude first. */
const LONGITUDE_FIRST = /^https?:\/\/[^/]*(?:yandex|2gis)\./i;
const LONGITUDE_AND_LATITUDE = new RegExp(String.raw`[?&/](?:ll|pt|whatshere\[point\]|m|geo/\d+)[=/]${NUMBER}(?:,|%2C)${NUMBER}`, 'i');

/** The point of a link to a map, as callers send them. Degrees; it may lie beyond the globe. */
export function pointOfLink(text: string): { lat: number; lon: number } | undefined {
  if (text.length > LONGEST || !/^(?:geo:|https?:)/i.test(text)) return undefined;
  const turned = LONGITUDE_FIRST.test(text) ? LONGITUDE_AND_LATITUDE.exec(text) : null;
  if (turned) return { lat: Number(turned[2]), lon: Number(turned[1]) };
  for (const form of FORMS) {
    const found = form.exec(text);
    if (found) return { lat: Number(found[1]), lon: Number(found[2]) };
  }
  return undefined;
}
