import { words } from '../../../../shared/text/fold.ts';
import { NUMBER_OF_UNITS, UNIT_OF_ROADS, metresOf } from '../../territory/geometry/distance.ts';
import { isSortWord } from '../../territory/places/sorts.ts';
import type { HouseNumber } from '../../territory/places/house-number.ts';
import { foldedLine } from './folded-line.ts';
import { housesOf, lettersOf, unmarkedLettersOf } from './house-readings.ts';
import type { LetterReading } from './house-readings.ts';
import { withoutIncident } from './incident-words.ts';
import { queryWords } from './query-words.ts';
import type { FrequentWords } from './language-words.ts';
import { UNIT_WORDS } from './units.ts';

/** One interpretation of the query. Most queries have several; the best hits of all are shown. */
export type Reading =
  | { kind: 'name'; words: string[] }
  | { kind: 'house'; words: string[]; house: HouseNumber }
  /**
   * A house as on a letter. `around`: the postcode, town and so on; unknown ones do not matter. `cut`: those of
   * them that nothing separates from the street, of which they may be a misspelt part.
   */
  | { kind: 'letter'; words: string[]; house: HouseNumber; around: string[]; cut?: string[] }
  | { kind: 'corner'; first: string[]; second: string[]; marked: boolean }
  | { kind: 'milestone'; words: string[]; metres: number }
  | { kind: 'beside'; words: string[]; landmark: string[]; marked: boolean };

const MAX_CORNERS = 4;
const MAX_JOINED = 4;
/** Words on either side of a separator. */
const MAX_OF_NAME = 6;
const SHORTEST_PART = 4;
/** "Rue", "via". */
const SHORTEST_KIND = 3;
/** Letters that join the parts of a compound: "Universität-s-klinik", "Kirche-n-weg". */
const JOINTS = ['s', 'es', 'n', 'en', 'er', 'e'];

/** All interpretations of the text. */
export function interpretationsOf(query: string, frequent: FrequentWords): Reading[] {
  const text = foldedLine(query);
  const opening = BESIDE_OPENING.exec(text)?.[0];
  // "Near the bakery": the bakery is the landmark.
  const landmark = opening === undefined ? [] : readingsOfLine(text.slice(opening.length), frequent);
  return [...readingsOfLine(text, frequent), ...landmark, ...besidesOf(text, frequent)];
}

/**
 * Further interpretations when nothing as good was found: as part of an incident, or without the signs
 * between two names.
 */
export function looserReadings(query: string, frequent: FrequentWords): Reading[] {
  const text = foldedLine(query);
  const ofIncident = withoutIncident(words(text)).flatMap((rest) => [
    ...readingsOfLine(rest.join(' '), frequent),
    ...besidesOf(rest.join(' '), frequent),
  ]);
  const marked = cornersOf(text, frequent).length > 0;
  const opening = marked ? undefined : CORNER_OF.exec(text)?.[0];
  // "Corner Lenina": the other street is unknown. "Junction 4" is the exit, not half of a corner with 4th
  // Street.
  const street =
    opening === undefined
      ? []
      : queryWords(text.slice(opening.length)).filter((word) => !frequent.isWeak(word) && !/\d/.test(word));
  return [
    ...ofIncident,
    ...(street.length > 0 ? readingsOfLine(text.slice(opening!.length), frequent) : []),
    ...(marked ? [] : unmarkedCorners(text, frequent)),
    ...unmarkedBesides(queryWords(text.replace(UNIT_WORDS, ' ')), frequent),
  ];
}

/** The text as a letter's address; `marked`: with commas or lines between street and town. */
export function letterReadings(query: string, marked: boolean, frequent: FrequentWords): LetterReading[] {
  const line = foldedLine(query).replace(UNIT_WORDS, ' ');
  return marked ? lettersOf(line, frequent) : unmarkedLettersOf(line, frequent);
}

function readingsOfLine(text: string, frequent: FrequentWords): Reading[] {
  const plain = text.replace(UNIT_WORDS, ' ');
  // "15 Stock Road" would leave no street: then it is a name, not a floor.
  const lines = plain === text || !queryWords(plain).some((word) => !frequent.isWeak(word)) ? [text] : [plain, text];
  return [
    ...lines.flatMap((line) => [...namesOf(line), ...housesOf(line), ...milestonesOf(line)]),
    ...cornersOf(text, frequent),
  ];
}

function namesOf(line: string): Reading[] {
  const all = queryWords(line);
  return all.length > 0 ? [{ kind: 'name', words: all }] : [];
}

/** "km 12", "12.4 km", "12-й километр", "pk 12+300". */
const MILESTONE = [
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?<unit>${UNIT_OF_ROADS})\.? ?(?<number>${NUMBER_OF_UNITS})(?![\p{L}\p{N}])`,
    'u',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}.,])(?<number>${NUMBER_OF_UNITS})(?:st|nd|rd|th|-?(?:i|yi|oi|go|om|m))? ?(?<unit>${UNIT_OF_ROADS})(?![\p{L}\p{N}])\.?`,
    'u',
  ),
];

function milestonesOf(text: string): Reading[] {
  for (const pattern of MILESTONE) {
    const found = pattern.exec(text);
    const { number, unit } = found?.groups ?? {};
    if (!found || number === undefined || unit === undefined) continue;
    const rest = queryWords(`${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`);
    if (rest.length > 0) return [{ kind: 'milestone', words: rest, metres: metresOf(number, unit) }];
  }
  return [];
}

/**
 * "At the corner of", "a l'angle de", "na rogu": words before a word for a corner, the word, and the words
 * after it.
 */
const TO_CORNER = String.raw`(?:(?:at|on|in|an|na|a|au|en|all|alla|ad|the|der|die|la|el|lo|l)[ '’]){0,3}`;
const CORNER_WORD =
  'corner|cnr|crn|jct|jctn|crossing|crossroads|intersection|junction|ugol|uglu|perekrestok|perekrestke|peresechenie|peresechenii|esquina|cruzamento|cruce|angle|coin|croisement|carrefour|ecke|kreuzung|kantuniera|cantonada|xamfra|cruilla|incrocio|angolo|rogu?|skrzyzowani[eu]|rig|rih|rozi|perekhrestia|perekhresti';
const OF_CORNER =
  "(?: (?:of the|of|with|and|between|tra|fra|entre|zwischen|de la|de los|de|da|do|du|des|d|del|di|von|con|com|mit|amb|avec|s|z|ta|ulits|ulic|ulicy|ulica|vulyts)(?=[ '’]))?";
const CORNER_OF = new RegExp(`^${TO_CORNER}(?:${CORNER_WORD})${OF_CORNER}:?[ '’]+`);
const MARK = new RegExp(
  String.raw` ?(?:\\|&|\+|@| x | at | ${TO_CORNER}(?:${CORNER_WORD}|ug\.?|meets|crosses|peresekaetsia)${OF_CORNER}[ '’]|(?<!\d ?)\/|\/(?! ?\d)) ?`,
  'g',
);
const JOINT = / (\p{L}{1,4}) /gu;

function cornersOf(text: string, frequent: FrequentWords): Reading[] {
  const opening = CORNER_OF.exec(text)?.[0];
  const rest = opening === undefined ? text : text.slice(opening.length);
  const splits = [
    ...rest.matchAll(MARK),
    ...(opening === undefined ? [] : rest.matchAll(/ ?[,;] /g)),
    ...joints(rest, frequent),
  ].slice(0, MAX_CORNERS);
  const corners = splits.flatMap((match): Reading[] =>
    corner(rest.slice(0, match.index), rest.slice(match.index + match[0].length)),
  );
  if (opening === undefined || corners.length > 0) return corners;
  // "угол Ленина Мира": nothing separates the two names, but a kind of street may begin the second.
  const parts = queryWords(rest);
  const starts = parts.map((_, i) => i).slice(1);
  const ofKinds = starts.filter((at) => frequent.saysStreet(parts[at]!, SHORTEST_KIND));
  return [...new Set([...ofKinds, ...starts])]
    .slice(0, MAX_CORNERS)
    .flatMap((at) => corner(parts.slice(0, at).join(' '), parts.slice(at).join(' ')));
}

/** Words such as "and", with their spaces. Of two neighbouring short words the second would lose its space. */
function joints(text: string, frequent: FrequentWords): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  JOINT.lastIndex = 0;
  for (let match = JOINT.exec(text); match; match = JOINT.exec(text)) {
    JOINT.lastIndex = match.index + match[0].length - 1;
    if (frequent.joins(match[1]!)) found.push(match);
  }
  return found;
}

function corner(left: string, right: string, marked = true): Reading[] {
  // "Lindenweg / Ecke Marktstraße"
  const [first, second] = [left, right].map((side) => queryWords(side.trim().replace(CORNER_OF, ''))) as [
    string[],
    string[],
  ];
  return first.length > 0 && second.length > 0 ? [{ kind: 'corner', first, second, marked }] : [];
}

/**
 * "Mill Road, High Street", "Mill Road High Street", "ul. Lenina ul. Mira": two streets without a word
 * between them.
 */
function unmarkedCorners(text: string, frequent: FrequentWords): Reading[] {
  const commas = [...text.matchAll(/ ?[,;] ?/g)]
    .slice(0, 1)
    .flatMap((match) => corner(text.slice(0, match.index), text.slice(match.index + match[0].length), false));
  const parts = queryWords(text);
  const kinds = parts.flatMap((word, i) => (frequent.saysStreet(word) ? [i] : []));
  if (kinds.length < 2) return commas;
  const splits = new Set(
    [kinds[0]! + 1, kinds[1]!].filter(
      (at) => at > 0 && at <= MAX_OF_NAME && at < parts.length && parts.length - at <= MAX_OF_NAME,
    ),
  );
  return [
    ...commas,
    ...[...splits].flatMap((at): Reading[] => [
      { kind: 'corner', first: parts.slice(0, at), second: parts.slice(at), marked: false },
    ]),
  ];
}

/**
 * Words for being near. Those of two or three letters below are also parts of names; most of them count only
 * at the start of a text.
 */
const BESIDE =
  'near to|near|nearby|next to|beside|close to|opposite to|opposite|opp\\.?|across from|in front of|outside|behind|riadom so?|riadom|vozle|okolo|naprotiv|nepodaleku ot|nedaleko ot|vblizi|pozadi|pered|neben|gegenuber von|gegenuber|hinter|in der nahe von|nahe|pres|en face|derriere|devant|a cote|vicino|di fronte|dietro|accanto|cerca|junto|frente|enfrente|detras|perto|ao lado|em frente|hdejn';
const ARTICLE = '(?: (?:the|de la|de l|du|des|dos|das|del|della|dello|de|do|da|al|alla|a|au|aux|dem|der|den|die))?';
const BESIDE_OPENING = new RegExp(
  `^(?:(?:right|just|somewhere) )?(?:${BESIDE}|by|u|za|na|at|bei|beim|vor)${ARTICLE} (?=.)`,
);
const BESIDE_BETWEEN = new RegExp(`(?<=.) (?:(?:right|just) )?(?:${BESIDE}|by|u|za|bei|beim)${ARTICLE} (?=.)`, 'g');

function besidesOf(text: string, frequent: FrequentWords): Reading[] {
  return [...text.matchAll(BESIDE_BETWEEN)]
    .slice(0, 2)
    .flatMap((match) =>
      beside(queryWords(text.slice(0, match.index)), queryWords(text.slice(match.index + match[0].length)), frequent),
    );
}

/** Words that join parts of one name. */
const PARTICLE_FIRST = /^(?:of|de|du|des|da|do|dos|das|del|della|di|von|van|zu|zur|zum|ta|tal|and|et|und|e|i|y|d|l)$/;

function beside(asked: string[], landmark: string[], frequent: FrequentWords, marked = true): Reading[] {
  if (asked.length > MAX_OF_NAME || landmark.length > MAX_OF_NAME) return [];
  // "Consulat de France" is one name.
  if (!marked && (PARTICLE_FIRST.test(landmark[0]!) || PARTICLE_FIRST.test(asked.at(-1)!))) return [];
  return asked.some((word) => !frequent.isWeak(word)) && landmark.some((word) => !frequent.isWeak(word))
    ? [{ kind: 'beside', words: asked, landmark, marked }]
    : [];
}

const MAX_SORT_WORDS = 2;

/** "Pharmacy High Street": the kind of thing and its neighbour, in either order. */
function unmarkedBesides(all: string[], frequent: FrequentWords): Reading[] {
  const last = all.length - 1;
  let head = 0,
    tail = 0;
  while (head < last && isSortWord(all[head]!)) head++;
  while (tail < last && isSortWord(all[last - tail]!)) tail++;
  const heads = Array.from({ length: Math.min(head, MAX_SORT_WORDS) }, (_, i) =>
    beside(all.slice(0, i + 1), all.slice(i + 1), frequent, false),
  );
  const tails = Array.from({ length: Math.min(tail, MAX_SORT_WORDS) }, (_, i) =>
    beside(all.slice(last - i), all.slice(0, last - i), frequent, false),
  );
  return [...heads, ...tails].flat();
}

/** The same with other words; undefined ones stay missing. */
export function changedReadings(readings: readonly Reading[], change: (word: string) => readonly string[]): Reading[] {
  return readings.flatMap((reading): Reading[] => {
    if (reading.kind === 'corner' || reading.kind === 'letter') return [];
    return reading.words.flatMap((word, i) =>
      change(word).map((other) => ({ ...reading, words: reading.words.with(i, other) })),
    );
  });
}

/** The same with two neighbouring words joined: "mc donalds", "feld kircher". */
export function joinedReadings(readings: readonly Reading[]): Reading[] {
  return readings.flatMap((reading): Reading[] => {
    if (reading.kind !== 'name' && reading.kind !== 'house') return [];
    return reading.words.slice(1, MAX_JOINED + 1).map((word, i) => ({
      ...reading,
      words: [...reading.words.slice(0, i), reading.words[i]! + word, ...reading.words.slice(i + 2)],
    }));
  });
}

/**
 * The same with each unknown compound split: into two words of the territory ("schlossapotheke"), else into
 * kind and rest, with the kind last ("landesgefängnis") or first ("feuerwehrdepot").
 */
export function splitReadings(readings: readonly Reading[], known: (word: string) => boolean): Reading[] {
  return apart(readings, (word) => (known(word) ? undefined : partsOf(word, known)));
}

/**
 * The same with compounds that contain the kind ("feuerwehrdepot balzers"), if the whole compound is known,
 * but not with the rest of the query.
 */
export function sortReadings(readings: readonly Reading[], known: (word: string) => boolean): Reading[] {
  return apart(readings, (word) => {
    const parts = isSortWord(word) ? undefined : partsOf(word, known);
    return parts?.some(isSortWord) ? parts : undefined;
  });
}

function apart(readings: readonly Reading[], partsOf: (word: string) => readonly string[] | undefined): Reading[] {
  const split = (words: readonly string[]): string[] => words.flatMap((word) => partsOf(word) ?? [word]);
  return readings.flatMap((reading): Reading[] => {
    if (reading.kind !== 'name' && reading.kind !== 'house') return [];
    const words = split(reading.words);
    return words.length > reading.words.length ? [{ ...reading, words }] : [];
  });
}

function partsOf(word: string, known: (word: string) => boolean): [string, string] | undefined {
  // "CG2" for the road CG-2.
  const [, letters, digits] = /^([a-z]{1,3})(\d{1,4})$/.exec(word) ?? [];
  if (letters !== undefined && digits !== undefined && known(letters)) return [letters, digits];
  if (word.length < 2 * SHORTEST_PART) return undefined;
  let byTail: [string, string] | undefined;
  let byHead: [string, string] | undefined;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const head = word.slice(0, at),
      tail = word.slice(at);
    const bare = [
      head,
      ...JOINTS.filter((joint) => head.endsWith(joint)).map((joint) => head.slice(0, -joint.length)),
    ].find((part) => part.length >= SHORTEST_PART && known(part));
    if (bare !== undefined && known(tail)) return [bare, tail];
    if (isSortWord(tail)) byTail ??= [head, tail];
    else if (bare !== undefined && isSortWord(bare)) byHead = [bare, tail];
  }
  return byTail ?? byHead;
}
