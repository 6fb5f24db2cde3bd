import { around, grown, metresBetweenE7 } from '../../territory/geometry/metres.ts';
import type { BoundingBox } from '../../territory/geometry/metres.ts';
import type { QueryWord } from '../query/query-word.ts';
import type { QueryContext, LocationBias } from '../query/query-context.ts';
import { likenessOf } from './likeness.ts';
import type { Likeness } from './likeness.ts';
import type { PlaceRow, PlacesFile } from './places-file.ts';

/** A document that may match. */
export interface ScoredCandidate extends Likeness {
  row: PlaceRow;
  score: number;
}

/** Candidates taken from the index, the most important first. */
const TAKEN = 500;
/**
 * Within this distance of the favoured point things are searched once more if there are too many elsewhere.
 */
const NEARBY = 4000;
/**
 * If there are too many within a distance, those within an eighth of it are searched too, down to this
 * distance. Metres.
 */
const AT_HAND = 40;

const IMPORTANCE_COUNTS = 0.1;
const NEARNESS_COUNTS = 0.12;
/** The distance at which nearness counts half. */
const HALF_NEAR = 3000;

/** Documents with every significant word, the best first. */
export function findCandidates(
  file: PlacesFile,
  asked: readonly QueryWord[],
  context: QueryContext,
  only?: 'street',
): ScoredCandidate[] {
  const { near, isTimeUp } = context;
  const required = requiredOf(asked);
  if (required.length === 0) return [];
  const question = questionOf(required);
  const ids = new Set(only === 'street' ? file.streetsMatching(question, TAKEN) : file.matching(question, TAKEN));
  if (ids.size >= TAKEN) {
    // Too many to check: whole-word matches and near ones must not be missed.
    const whole = required.map(({ text }) => `"${text}"`);
    for (const id of file.matching(`{name} : (${whole.join(' AND ')})`, TAKEN)) ids.add(id);
    if (near && !isTimeUp())
      for (const id of idsAround(file, question, around(near.lon * 1e7, near.lat * 1e7, 0), NEARBY, isTimeUp))
        ids.add(id);
  }
  return rank(file, [...ids], asked, context, near).filter(({ row }) => only === undefined || row.kind === only);
}

/** Streets and places with every significant word of `street`, those with some word of `around` never missed. */
export function findAddressed(
  file: PlacesFile,
  street: readonly QueryWord[],
  around: readonly QueryWord[],
  context: QueryContext,
): ScoredCandidate[] {
  const question = questionOf(requiredOf(street));
  const ids = new Set(file.matching(question, TAKEN));
  const telling = around.filter(({ weak, text }) => !weak && text.length > 1);
  // Of too many streets of that name, those in the town.
  if (ids.size >= TAKEN && telling.length > 0) {
    const inTown = `${question} AND {area} : (${telling.map((word) => word.clause()).join(' OR ')})`;
    for (const id of file.matching(inTown, TAKEN)) ids.add(id);
  }
  return rank(file, [...ids], street, context, context.near).filter(({ row }) => row.kind !== 'object');
}

/** The same within so many metres of a box. */
export function findCandidatesAround(
  file: PlacesFile,
  asked: readonly QueryWord[],
  box: BoundingBox,
  metres: number,
  context: QueryContext,
): ScoredCandidate[] {
  const required = requiredOf(asked);
  if (required.length === 0) return [];
  const ids = idsAround(file, questionOf(required), box, metres, context.isTimeUp);
  return rank(file, [...ids], asked, context, undefined);
}

/**
 * All matches within so many metres of a box; of too many, the most important and the nearest: a city has
 * thousands of hydrants, all equally important.
 */
function idsAround(
  file: PlacesFile,
  question: string,
  box: BoundingBox,
  metres: number,
  isTimeUp: () => boolean,
): Set<number> {
  const ids = new Set<number>();
  for (let within = metres; within >= AT_HAND; within /= 8) {
    const found = file.matchingIn(question, grown(box, within), TAKEN);
    for (const id of found) ids.add(id);
    if (found.length < TAKEN || isTimeUp()) break;
  }
  return ids;
}

/** Documents with some of the significant words, those with the rarest first. */
export function findInPart(file: PlacesFile, asked: readonly QueryWord[], context: QueryContext): ScoredCandidate[] {
  const required = weightyOf(asked);
  if (required.length === 0) return [];
  const exact = required.map(({ text }) => `"${text}"`).join(' OR ');
  // Exact matches must not be crowded out by similar words.
  const ids = new Set([
    ...file.resembling(`{name sort} : (${exact})`, TAKEN / 4),
    ...file.resembling(`{name sort} : (${required.map((word) => word.clause()).join(' OR ')})`, TAKEN / 2),
  ]);
  return rank(file, [...ids], asked, context, context.near);
}

function requiredOf(asked: readonly QueryWord[]): readonly QueryWord[] {
  const weighty = weightyOf(asked);
  return weighty.length > 0 ? weighty : asked;
}

function weightyOf(asked: readonly QueryWord[]): readonly QueryWord[] {
  return asked.filter(({ weak }) => !weak);
}

function questionOf(required: readonly QueryWord[]): string {
  const clauses = required.map((word) => word.clause());
  return `{name sort} : (${clauses.join(' OR ')}) AND ${clauses.join(' AND ')}`;
}

function rank(
  file: PlacesFile,
  ids: readonly number[],
  asked: readonly QueryWord[],
  { frequent, isTimeUp }: QueryContext,
  near: LocationBias | undefined,
): ScoredCandidate[] {
  const candidates: ScoredCandidate[] = [];
  for (const row of file.documents(ids)) {
    if (isTimeUp()) break;
    const named = {
      nameWords: row.name_words,
      areaWords: row.area_words,
      sortWords: row.sort_words,
      kind: row.kind,
      sort: row.sort,
      ref: row.ref ?? '',
    };
    const likeness = likenessOf(asked, named, frequent);
    if (!likeness) continue;
    candidates.push({ row, ...likeness, score: scoreOf(likeness.quality, row, near) });
  }
  return candidates.sort((a, b) => b.score - a.score || a.row.id - b.row.id);
}

function scoreOf(quality: number, row: PlaceRow, near: LocationBias | undefined): number {
  const nearness = near
    ? HALF_NEAR / (HALF_NEAR + metresBetweenE7(near.lon * 1e7, near.lat * 1e7, row.lon, row.lat))
    : 0;
  const counts = IMPORTANCE_COUNTS + (near ? NEARNESS_COUNTS : 0);
  return quality * (1 - counts + IMPORTANCE_COUNTS * row.importance + (near ? NEARNESS_COUNTS * nearness : 0));
}
