import { pathsOf } from './openapi.ts';
import type { DeclaredRoute, Family } from './route.ts';

/**
 * The family of an address that no handler answers: that of the route whose pattern it fits, else of the pattern that
 * shares most of its leading segments. So one address has one form of errors, even where it cannot be decoded.
 */
export function familiesByPattern(routes: readonly DeclaredRoute[], otherwise: Family): FamilyOf {
  const patterns = routes.flatMap(({ method, path, family }) =>
    pathsOf(path).map((one) => ({ method, family, segments: segmentsOf(one).map(segmentTest) })),
  );
  return (path, method) => {
    const segments = segmentsOf(path);
    let best: Family = otherwise;
    let most = 0;
    for (const pattern of patterns) {
      const rank = rankOf(pattern, segments, method);
      // The first of equals, as among routes.
      if (rank > most) [best, most] = [pattern.family, rank];
    }
    return best;
  };
}

export type FamilyOf = (path: string, method: string) => Family;

type SegmentTest = (segment: string) => boolean;

interface Pattern {
  readonly method: string;
  readonly segments: readonly SegmentTest[];
}

/** 0: nothing in common. A longer beginning goes before all; then patterns that end there, then the method. */
function rankOf(pattern: Pattern, segments: readonly string[], method: string): number {
  let shared = 0;
  while (shared < pattern.segments.length && shared < segments.length && pattern.segments[shared]!(segments[shared]!))
    shared++;
  if (shared === 0) return segments.length === 0 && pattern.segments.length === 0 ? 1 : 0;
  const ends = shared === pattern.segments.length;
  const isAsked = pattern.method === method || (pattern.method === 'GET' && method === 'HEAD');
  return shared * 4 + (ends ? 2 : 0) + (ends && isAsked ? 1 : 0);
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

/** `word`, `:name` or `:name.word`. */
function segmentTest(pattern: string): SegmentTest {
  const parts = pattern.split(/:\w+/);
  if (parts.length === 1) return (segment) => segment === pattern;
  const expression = new RegExp(`^${parts.map((part) => part.replace(/[^\w-]/g, '\\$&')).join('[^/]+')}$`);
  return (segment) => expression.test(segment);
}
