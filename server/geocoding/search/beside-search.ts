import { metresBetweenE7, nearestOnLine } from '../../territory/geometry/metres.ts';
import type { AskedWord } from '../query/asked-word.ts';
import type { Asking } from '../query/asking.ts';
import { findCandidates, findCandidatesAround } from './candidates.ts';
import type { ScoredCandidate } from './candidates.ts';
import { documentHit } from './hits.ts';
import type { RankedHit } from './hits.ts';
import type { PlaceRow, PlacesFile } from './places-file.ts';
import type { Reading } from '../query/readings.ts';

/** Landmarks that are tried: there is more than one church. Only those nearly as likely as the likeliest. */
const LANDMARKS = 4;
const AS_LIKELY = 0.93;
/**
 * How far from a landmark things are looked for: where there is none near it, the nearest is still what was
 * asked for. Metres.
 */
const REACHES = [3000, 20_000];
/** Distance at which being beside it counts half, and how much it counts. */
const HALF_BESIDE = 400;
const CLOSENESS_COUNTS = 0.12;
/** The landmark itself, when what was asked for is not there, or was not understood. */
const LANDMARK_ITSELF = 0.72;
/**
 * What two things are worth that nothing says are near each other; then the second is meant whole, and the
 * first stands beside it, or is the nearest to that place.
 */
const UNMARKED = 0.92;
const MEANT_WHOLE = 0.9;
const UNMARKED_REACHES = [1000];

/** "Pharmacy near Mater Dei": things that are the first and lie by the second, the nearest before others. */
export function findBeside(
  file: PlacesFile,
  { words, landmark, marked }: Extract<Reading, { kind: 'beside' }>,
  asking: Asking,
): RankedHit[] {
  const landmarks = findCandidates(file, asking.understand(landmark), asking);
  const likely = landmarks.filter(
    ({ score, quality }, i) =>
      i < LANDMARKS && score >= AS_LIKELY * landmarks[0]!.score && (marked || quality >= MEANT_WHOLE),
  );
  const asked = asking.understand(words);
  return likely.flatMap((by): RankedHit[] => {
    if (asking.passed()) return [];
    const distance = distanceFrom(file, by.row);
    const share = marked ? 1 : UNMARKED;
    const beside = thingsBy(
      file,
      asked,
      by.row,
      marked || by.row.kind === 'place' ? REACHES : UNMARKED_REACHES,
      asking,
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
  asked: readonly AskedWord[],
  landmark: PlaceRow,
  reaches: readonly number[],
  asking: Asking,
): ScoredCandidate[] {
  for (const reach of reaches) {
    const found = findCandidatesAround(file, asked, file.boxOf(landmark.id)!, reach, asking).filter(
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

/** Metres from a landmark: of a street from the whole of it. */
function distanceFrom(file: PlacesFile, landmark: PlaceRow): (row: PlaceRow) => number {
  const lines = landmark.kind === 'street' ? file.lines(landmark.id) : [];
  if (lines.length === 0) return ({ lon, lat }) => metresBetweenE7(lon, lat, landmark.lon, landmark.lat);
  return ({ lon, lat }) => Math.min(...lines.map((line) => nearestOnLine(line, lon, lat).metres));
}
