const LONGEST = 1000;
const NUMBER = String.raw`(-?\d{1,3}(?:\.\d{1,15})?)`;
const PAIR = String.raw`${NUMBER},\+?${NUMBER}(?![\d.])`;

/** How links name a point. */
interface Form {
  readonly pattern: RegExp;
  readonly longitudeFirst: boolean;
}

const latitudeFirst = (pattern: string): Form => ({ pattern: new RegExp(pattern, 'i'), longitudeFirst: false });
const longitudeFirst = (pattern: string): Form => ({ pattern: new RegExp(pattern, 'i'), longitudeFirst: true });

/**
 * Points, and middles of what is looked at. Of each the first that is there counts: a pin, then what is asked
 * for, then where a way leads to.
 */
interface Maps {
  readonly points: readonly Form[];
  readonly views: readonly Form[];
}

const LATITUDE_FIRST: Maps = {
  points: [
    latitudeFirst(`[?&]mlat=${NUMBER}&mlon=${NUMBER}`),
    latitudeFirst(`!3d${NUMBER}!4d${NUMBER}`),
    latitudeFirst(`[?&](?:q|query|destination|daddr)=(?:loc:)?${PAIR}`),
    latitudeFirst(`/(?:place|search)/${PAIR}`),
    latitudeFirst(`/dir/(?:[^/?#]*/){0,20}${PAIR}/?(?:@|data=|[?#]|$)`),
    longitudeFirst(`^.*!2m2!1d${NUMBER}!2d${NUMBER}`),
    latitudeFirst(`[?&]route=(?:[^&#;]*;){0,20}${PAIR}(?:[&#]|$)`),
    latitudeFirst(`^geo:${PAIR}`),
  ],
  views: [
    latitudeFirst(`[?&](?:ll|center|near)=(?:loc:)?${PAIR}`),
    latitudeFirst(`@${PAIR}`),
    latitudeFirst(String.raw`#map=\d{1,2}(?:\.\d{1,4})?/${NUMBER}/${NUMBER}`),
  ],
};
/** Maps that put longitude first, but not in what somebody typed, nor in ways. */
const TURNED: Maps = {
  points: [
    longitudeFirst(String.raw`[?&](?:pt|whatshere\[point\])=${PAIR}`),
    longitudeFirst(String.raw`/(?:geo|firm)/\d{1,20}/${PAIR}`),
    latitudeFirst(`[?&]text=${PAIR}`),
    latitudeFirst(`[?&]rtext=(?:[^&#~]*~){0,20}${PAIR}(?:[&#]|$)`),
  ],
  views: [longitudeFirst(`[?&/](?:ll|m)[=/]${PAIR}`)],
};
const IS_TURNED = /^https?:\/\/[^/]*(?:yandex|2gis)\./i;
/** The middle of the view of a way is neither of its ends. */
const IS_WAY = /\/dir\/|[?&]r(?:oute|text)=/i;

/** The point of a link to a map, as callers send them. Degrees; it may lie beyond the globe. */
export function pointOfLink(text: string): { lat: number; lon: number } | undefined {
  if (text.length > LONGEST || !/^(?:geo:|https?:)/i.test(text)) return undefined;
  const link = text.replace(/%(?:2C|2F|3A|3B|5B|5D|7E)/gi, decodeURIComponent);
  const { points, views } = IS_TURNED.test(link) ? TURNED : LATITUDE_FIRST;
  for (const { pattern, longitudeFirst: turned } of IS_WAY.test(link) ? points : [...points, ...views]) {
    const [, first, second] = pattern.exec(link) ?? [];
    // Programs write 0, 0 where they have a name and no point.
    if (first === undefined || (Number(first) === 0 && Number(second) === 0)) continue;
    return turned ? { lon: Number(first), lat: Number(second) } : { lat: Number(first), lon: Number(second) };
  }
  return undefined;
}
