import { bearingMicro } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { Heading } from '../types.ts';

/** Course of an arc at a position, degrees clockwise from north; at its end, that of its last piece. */
export function courseAt(arc: number, at: number, roads: Roads): number {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const pieces = roads.pieces(arc >> 1);
  const k = Math.min(pieces - 1, Math.floor(at));
  const position = segmentFirst[arc >> 1]! + (arc & 1 ? pieces - 1 - k : k);
  const [from, to] = arc & 1 ? [shape[position + 1]!, shape[position]!] : [shape[position]!, shape[position + 1]!];
  return bearingMicro(nodeLon[from]!, nodeLat[from]!, nodeLon[to]!, nodeLat[to]!);
}

/** In whole degrees, as instructions state a bearing. */
export function matchesHeading(course: number, { degrees, range }: Heading): boolean {
  return Math.abs(((Math.round(course) - degrees + 540) % 360) - 180) <= range;
}

/** Whether a piece, given by its shape position, may be driven in about this direction. */
export function allowsHeading(segment: number, piece: number, heading: Heading, roads: Roads): boolean {
  const k = piece - roads.columns.segmentFirst[segment]!;
  return (
    (roads.isOpen(segment * 2) && matchesHeading(courseAt(segment * 2, k, roads), heading)) ||
    (roads.isOpen(segment * 2 + 1) &&
      matchesHeading(courseAt(segment * 2 + 1, roads.pieces(segment) - 1 - k, roads), heading))
  );
}
