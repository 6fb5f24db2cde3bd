import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { beginning } from '../../../../shared/text/characters.ts';
import { circleRing, joinedGeometry, pairsOf, ringOf } from './areas.ts';
import { childrenOf, textAt, timeOf, type XmlElement } from './elements.ts';
import {
  MOST_POSITIONS,
  SEVERITIES,
  type FeedContent,
  type ReadWarning,
  type Severity,
  type WarningText,
} from './read-warning.ts';

const LONGEST = { line: 500, area: 2_000, text: 10_000 } as const;
const MOST_CODES = 500;

/**
 * Reads an alert of the Common Alerting Protocol 1.0 to 1.2 (OASIS; ITU-T X.1303bis). Exercises, tests and drafts are
 * ignored, as CAP asks of receivers that do not take part in them.
 */
export function readAlert(alert: XmlElement, link: string, content: FeedContent): void {
  const [identifier, sender] = [textAt(alert, 'identifier'), textAt(alert, 'sender')];
  const sentAt = timeOf(textAt(alert, 'sent'));
  if (identifier === '' || sentAt === undefined) return content.problem('An alert has no identifier or no time.');
  const kind = textAt(alert, 'msgType');
  const isOurs = textAt(alert, 'status') === 'Actual' && ['Alert', 'Update', 'Cancel'].includes(kind);
  if (!isOurs) return void content.ignored++;
  const replaces = kind === 'Alert' ? [] : referencesOf(textAt(alert, 'references'));
  content.ended.push(...replaces);
  if (kind === 'Cancel') return;
  const message = { key: messageKey(sender, identifier, sentAt), replaces, sender, sentAt, link };
  const infos = translationsOf(childrenOf(alert, 'info'));
  content.add(infos.flatMap((translations, index) => readInfo(translations, index, message)));
}

/** Reads one information of an alert, or an entry of a feed that carries its elements. */
export function readInfo(
  translations: readonly XmlElement[],
  index: number,
  message: Pick<ReadWarning, 'key' | 'replaces' | 'sender' | 'sentAt' | 'link'>,
): ReadWarning[] {
  const info = translations[0]!;
  const responses = childrenOf(info, 'responseType').map(({ text }) => text.trim());
  if (responses.includes('AllClear')) return [];
  const severity = severityOf(textAt(info, 'severity'));
  // Some writers put the shapes beside the area (@dec112/cap-ts 0.3.2).
  const areas = [...childrenOf(info, 'area'), info];
  const starts = ['onset', 'effective'].map((name) => timeOf(textAt(info, name)));
  return [
    {
      key: `${message.key}#${index}`,
      replaces: message.replaces,
      sender: textAt(info, 'senderName').slice(0, LONGEST.line) || message.sender.slice(0, LONGEST.line),
      sentAt: message.sentAt,
      severity,
      road: null,
      from: starts.find((start) => start !== undefined) ?? message.sentAt,
      until: timeOf(textAt(info, 'expires')) ?? null,
      isPartial: false,
      texts: translations.map(textOfInfo),
      codes: areas.flatMap(codesOf).slice(0, MOST_CODES),
      geometry: joinedGeometry({ rings: ringsOf(areas) }),
      hasEndsOnly: false,
      factor: factorOf(info, responses, severity),
      link: webLink(textAt(info, 'web')) || message.link,
    },
  ];
}

export function severityOf(text: string): Severity {
  return SEVERITIES.find((severity) => severity === text.toLowerCase()) ?? 'unknown';
}

/** An address that a browser may open; empty: it is another text. */
export function webLink(text: string): string {
  return /^https?:\/\/\S{1,1900}$/i.test(text) ? text : '';
}

/** CAP names a message by its sender, its identifier and its time; the time may be written in another zone. */
function messageKey(sender: string, identifier: string, sentAt: number): string {
  return `${sender},${identifier},${sentAt}`.slice(0, 500);
}

function referencesOf(text: string): string[] {
  return text
    .split(/\s+/)
    .map((triple) => /^(.*),([^,]+),([^,]+)$/.exec(triple))
    .filter((parts) => parts !== null)
    .flatMap(([, sender, identifier, sent]) => {
      const sentAt = timeOf(sent!);
      return sentAt === undefined ? [] : [messageKey(sender!, identifier!, sentAt)];
    });
}

/**
 * Information blocks of one subject in several languages belong together: the first of each language, the second of
 * each language, and so on. Where languages have different numbers of blocks, the first language stands for all.
 */
function translationsOf(infos: readonly XmlElement[]): XmlElement[][] {
  const languages = new Map<string, XmlElement[]>();
  for (const info of infos) {
    const language = textAt(info, 'language').toLowerCase();
    languages.set(language, [...(languages.get(language) ?? []), info]);
  }
  const [first = [], ...others] = languages.values();
  const parallel = others.filter(({ length }) => length === first.length);
  return first.map((info, index) => [info, ...parallel.map((blocks) => blocks[index]!)]);
}

function textOfInfo(info: XmlElement): WarningText {
  const area = childrenOf(info, 'area')
    .map((each) => textAt(each, 'areaDesc'))
    .filter(Boolean)
    .join(', ');
  const event = beginning(textAt(info, 'event'), LONGEST.line);
  return {
    language: textAt(info, 'language').slice(0, 35),
    event,
    headline: beginning(textAt(info, 'headline'), LONGEST.line) || event,
    description: beginning(textAt(info, 'description'), LONGEST.text),
    instruction: beginning(textAt(info, 'instruction'), LONGEST.text),
    area: beginning(area, LONGEST.area),
  };
}

function codesOf(area: XmlElement): string[] {
  return childrenOf(area, 'geocode').map((code) =>
    `${textAt(code, 'valueName')}=${textAt(code, 'value')}`.slice(0, 200),
  );
}

function ringsOf(areas: readonly XmlElement[]): LonLat[][] {
  let positions = 0;
  const rings: LonLat[][] = [];
  for (const area of areas)
    for (const { name, text } of area.children) {
      const ring =
        name === 'polygon' ? ringOf(pairsOf(text)) : name === 'circle' ? ringOfCircle(text.trim()) : undefined;
      if (!ring || (positions += ring.length) > MOST_POSITIONS) continue;
      rings.push(ring);
    }
  return rings;
}

/** `lat,lon radius`, the radius in kilometres. */
function ringOfCircle(text: string): LonLat[] | undefined {
  const [pair = '', radius = ''] = text.split(/\s+/);
  const centre = pairsOf(pair)?.[0];
  return centre && circleRing(centre, Number(radius) * 1_000);
}

/** An alert about traffic that tells people to avoid the place closes the roads there; a minor one slows them. */
function factorOf(info: XmlElement, responses: readonly string[], severity: Severity): number | null {
  const isAboutTraffic = childrenOf(info, 'category').some(({ text }) => text.trim() === 'Transport');
  if (!isAboutTraffic || !responses.includes('Avoid')) return null;
  return severity === 'minor' ? SLOWED : 0;
}

/** Share of the usual speed where a message says that a road is slowed, but not how much. */
export const SLOWED = 0.5;
