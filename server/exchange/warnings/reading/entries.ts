import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { beginning } from '../../../../shared/text/characters.ts';
import { textOfHtml } from '../../../platform/parsing/html-text.ts';
import { joinedGeometry, pairsOf, lonLatAt, ringOf } from './areas.ts';
import { readInfo, webLink } from './cap.ts';
import { attributeAt, childrenOf, textAt, timeOf, within, type XmlElement } from './elements.ts';
import type { FeedContent, ReadWarning } from './read-warning.ts';

const LONGEST = { line: 500, text: 10_000 } as const;
const AREA_PARTS = ['areaDesc', 'polygon', 'circle', 'geocode'];
const CAP_TYPE = 'application/cap+xml';

/**
 * Reads an entry of Atom (RFC 4287) or an item of RSS. It names a CAP message by its address, carries the elements of
 * one, or has a place by GeoRSS (Simple or GML; OGC 17-002r1) or W3C Basic Geo. Other entries are no warnings.
 */
export function readEntry(entry: XmlElement, base: string, content: FeedContent): void {
  const links = linksOf(entry, base);
  const link = links.find(({ type }) => type === CAP_TYPE) ?? links[0];
  const sentAt = timesOf(entry).find((time) => time !== undefined) ?? 0;
  const key = (textAt(entry, 'id') || textAt(entry, 'guid') || link?.url || textAt(entry, 'title')).slice(0, 490);
  if (key === '') return content.problem('An entry of the feed has no id, no link and no title.');
  const hasInfo = textAt(entry, 'event') !== '' && textAt(entry, 'severity') !== '';
  const about = { key, sentAt, link: link?.url ?? '' };
  const own = hasInfo ? infoOfEntry(entry, about, content) : placedEntry(entry, about);
  if (link && (hasInfo || link.type === CAP_TYPE || /\.(xml|cap)([?#]|$)/i.test(link.url)))
    content.addLink({ url: link.url, version: String(sentAt), entry: own });
  else if (own) content.add([own]);
  else content.ignored++;
}

interface EntryHead {
  readonly key: string;
  readonly sentAt: number;
  readonly link: string;
}

/** An entry with the elements of a CAP information. */
function infoOfEntry(entry: XmlElement, { key, sentAt, link }: EntryHead, content: FeedContent): ReadWarning | null {
  const status = textAt(entry, 'status');
  if ((status !== '' && status !== 'Actual') || textAt(entry, 'msgType') === 'Cancel') {
    content.ignored++;
    return null;
  }
  const element = (name: string, text: string): XmlElement => ({ name, attributes: {}, children: [], text });
  const area = { ...element('area', ''), children: entry.children.flatMap(areaPartsOf) };
  const info = {
    ...element('info', ''),
    children: [
      ...entry.children.filter(({ name }) => !['link', 'area', ...AREA_PARTS].includes(name)),
      element('headline', textAt(entry, 'title')),
      element('description', plainText(entry, 'summary')),
      area,
    ],
  };
  const [author] = within(entry, 'author');
  const sender = textAt(author, 'name') || textAt(entry, 'author');
  return readInfo([info], 0, { key, replaces: [], sender, sentAt, link })[0] ?? null;
}

/** Codes come in pairs in one element, if entries have them. */
function areaPartsOf(element: XmlElement): XmlElement[] {
  if (element.name !== 'geocode') return AREA_PARTS.includes(element.name) ? [element] : [];
  const names = childrenOf(element, 'valueName');
  return childrenOf(element, 'value').map((value, index) => ({
    ...{ name: 'geocode', attributes: {}, text: '' },
    children: [names[index] ?? { ...value, name: 'valueName', text: '' }, value],
  }));
}

function placedEntry(entry: XmlElement, { key, sentAt, link }: EntryHead): ReadWarning | null {
  const geometry = geoRssOf(entry);
  if (!geometry) return null;
  const description = ['summary', 'description', 'content'].map((name) => plainText(entry, name)).find(Boolean) ?? '';
  const title = beginning(textAt(entry, 'title'), LONGEST.line);
  return {
    ...{
      key: `${key}#0`,
      replaces: [],
      sentAt,
      link,
      geometry,
      sender: textAt(entry, 'author', 'name').slice(0, LONGEST.line),
    },
    ...{ severity: 'unknown', road: null, from: sentAt, until: null, isPartial: false, codes: [], factor: null },
    hasEndsOnly: false,
    texts: [
      {
        ...{ language: attributeAt(entry, 'lang').slice(0, 35), event: '', headline: title, instruction: '', area: '' },
        description: beginning(description, LONGEST.text),
      },
    ],
  };
}

function geoRssOf(entry: XmlElement) {
  const rings: LonLat[][] = [];
  const lines: LonLat[][] = [];
  const points: LonLat[] = [];
  const lists = (name: string): LonLat[][] =>
    [...within(entry, name)].map(({ text }) => pairsOf(text)).filter((places) => places !== undefined);
  for (const places of [...lists('polygon'), ...ringLists(entry)]) {
    const ring = ringOf(places);
    if (ring) rings.push(ring);
  }
  for (const [southWest, northEast] of lists('box'))
    if (southWest && northEast) {
      const [[west, south], [east, north]] = [southWest, northEast];
      rings.push([southWest, [east, south], northEast, [west, north], southWest]);
    }
  for (const line of [...lists('line'), ...lineLists(entry)]) if (line.length >= 2) lines.push(line);
  for (const [point] of [...lists('point'), ...lists('pos')]) if (point) points.push(point);
  if (points.length === 0)
    for (const { lat, long } of [entry, ...within(entry, 'Point')].map((each) => ({
      lat: textAt(each, 'lat'),
      long: textAt(each, 'long'),
    }))) {
      const place = lat === '' || long === '' ? undefined : lonLatAt(Number(lat), Number(long));
      if (place) points.push(place);
    }
  return joinedGeometry({ rings, lines, points });
}

/** The outer rings of polygons in GML. */
function ringLists(entry: XmlElement): LonLat[][] {
  return [...within(entry, 'exterior')].flatMap((ring) => [...posLists(ring)]);
}

function lineLists(entry: XmlElement): LonLat[][] {
  return [...within(entry, 'LineString')].flatMap((line) => [...posLists(line)]);
}

function* posLists(element: XmlElement): Generator<LonLat[]> {
  for (const { text } of within(element, 'posList')) {
    const places = pairsOf(text);
    if (places) yield places;
  }
}

/** Atom: `<link href type>`; RSS: `<link>address</link>` and enclosures. */
function linksOf(entry: XmlElement, base: string): { readonly url: string; readonly type: string }[] {
  return entry.children
    .filter(({ name }) => name === 'link' || name === 'enclosure')
    .filter((link) => ['', 'alternate', 'enclosure', 'via'].includes(attributeAt(link, 'rel')))
    .map((link) => ({
      url: resolved(attributeAt(link, 'href') || attributeAt(link, 'url') || link.text.trim(), base),
      type: attributeAt(link, 'type').split(';')[0]!.trim().toLowerCase(),
    }))
    .filter(({ url }) => url !== '');
}

function resolved(address: string, base: string): string {
  if (address === '' || !URL.canParse(address, base || undefined)) return '';
  return webLink(new URL(address, base || undefined).href);
}

function timesOf(entry: XmlElement): (number | undefined)[] {
  return ['updated', 'pubDate', 'published', 'date'].map((name) => timeOf(textAt(entry, name)));
}

/** The text of an element without the tags of HTML, whether they are escaped or elements. */
function plainText(entry: XmlElement, name: string): string {
  const [element] = childrenOf(entry, name);
  if (!element) return '';
  return textOfHtml(textsWithin(element).join(' '));
}

function textsWithin({ text, children }: XmlElement): string[] {
  return [text, ...children.flatMap(textsWithin)];
}
