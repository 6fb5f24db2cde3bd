import { metresBetweenE7, nearestOnLine } from '../../territory/geometry/metres.ts';
import type { QueryWord } from '../query/query-word.ts';
import type { QueryContext } from '../query/query-context.ts';
import { findCandidates, findCandidatesAround } from './candidates.ts';
import type { ScoredCandidate } from './candidates.ts';
import { documentHit } from './hits.ts';
import type { RankedHit } from './hits.ts';
import type { PlaceRow, PlacesFile } from './places-file.ts';
import type { Reading } from '../query/readings.ts';

/** Landmarks tried: there is more than one church. Only those almost as likely as the best. */
const LANDMARKS = 4;
const AS_LIKELY = 0.93;
/** Search radius around a landmark in metres; without a hit inside, the nearest thing is returned. */
const REACHES = [3000, 20_000];
/** The distance at which nearness counts half, and its weight. */
const HALF_BESIDE = 400;
const CLOSENESS_COUNTS = 0.12;
/** The landmark itself, if the thing was not found or not understood. */
const LANDMARK_ITSELF = 0.72;
/**
 * The score of two things without a word for nearness: then the second is meant as a whole, and the first is
 * beside it or nearest to it.
 */
const UNMARKED = 0.92;
const MEANT_WHOLE = 0.9;
const UNMARKED_REACHES = [1000];

/** "Pharmacy near Mater Dei": things that match the first and are near the second, nearest first. */
export function findBeside(
  file: PlacesFile,
  { words, landmark, marked }: Extract<Reading, { kind: 'beside' }>,
  context: QueryContext,
): RankedHit[] {
  const landmarks = findCandidates(file, context.understand(landmark), context);
  const likely = landmarks.filter(
    ({ score, quality }, i) =>
      i < LANDMARKS && score >= AS_LIKELY * landmarks[0]!.score && (marked || quality >= MEANT_WHOLE),
  );
  const asked = context.understand(words);
  return likely.flatMap((by): RankedHit[] => {
    if (context.isTimeUp()) return [];
    const distance = distanceFrom(file, by.row);
    const share = marked ? 1 : UNMARKED;
    const beside = thingsBy(
      file,
      asked,
      by.row,
      marked || by.row.kind === 'place' ? REACHES : UNMARKED_REACHES,
      context,
    ).map((candidate) =>
      documentHit(
        candidate.row,
        share * besideScore(candidate, by, distance(candidate.row)),
        candidate.variant,
        candidate.number,
      ),
    );
    return marked ? [...beside, documentHit(by.row, by.score * LANDMARK_ITSELF, by.variant)] : beside;
  });
}

function thingsBy(
  file: PlacesFile,
  asked: readonly QueryWord[],
  landmark: PlaceRow,
  reaches: readonly number[],
  context: QueryContext,
): ScoredCandidate[] {
  for (const reach of reaches) {
    const found = findCandidatesAround(file, asked, file.boxOf(landmark.id)!, reach, context).filter(
      ({ row }) => row.id !== landmark.id,
    );
    if (found.length > 0) return found;
  }
  return [];
}

function besideScore({ quality }: ScoredCandidate, by: ScoredCandidate, metres: number): number {
  return (
    Math.sqrt(quality * by.score) * (1 - CLOSENESS_COUNTS + (CLOSENESS_COUNTS * HALF_BESIDE) / (HALF_BESIDE + metres))
  );
}

/** Metres from a landmark; of a street, from the whole of it. */
function distanceFrom(file: PlacesFile, landmark: PlaceRow): (row: PlaceRow) => number {
  const lines = landmark.kind === 'street' ? file.lines(landmark.id) : [];
  if (lines.length === 0) return ({ lon, lat }) => metresBetweenE7(lon, lat, landmark.lon, landmark.lat);
  return ({ lon, lat }) => Math.min(...lines.map((line) => nearestOnLine(line, lon, lat).metres));
}
