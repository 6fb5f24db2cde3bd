import type { OsmExtract } from '../extract/extract.ts';
import { collectPieces } from './graph/collect-pieces.ts';
import type { Pieces } from './graph/collect-pieces.ts';
import { contractionOrder } from './order/dissection.ts';
import { leftHandTraffic } from './graph/driving-side.ts';
import { findComponents } from './graph/components.ts';
import { joinSegments } from './graph/join-segments.ts';
import type { Segments } from './graph/join-segments.ts';
import type { Profile } from './profiles/profile.ts';
import { readRestrictions } from './graph/restrictions.ts';
import { ROUNDABOUT, Roads, SMALL, STARTABLE } from './roads.ts';
import { makeSnapIndex } from './graph/snap-index.ts';
import { isOpenArc, makeTurns } from './graph/turns.ts';

export interface RoadOptions {
  profile: Profile;
  /** Components with fewer arcs, from which one cannot drive to the rest and back, are small. */
  minComponent?: number;
  report?: (done: number) => void;
}

export interface BuiltRoads {
  /** For `Roads.from`. */
  bytes: Uint8Array<ArrayBuffer>;
  roadNodes: number;
  roadArcs: number;
  /** Skipped items, in words. */
  log: string[];
}

export const MIN_COMPONENT = 1000;

/** Makes the roads of one kind of vehicle from an extract. */
export function buildRoads(
  extract: OsmExtract,
  { profile, minComponent = MIN_COMPONENT, report = () => {} }: RoadOptions,
): BuiltRoads {
  const pieces = collectPieces(extract, profile);
  report(0.15);
  const restrictions = readRestrictions(extract, pieces.roadNode, profile);
  const segments = joinSegments(pieces, (node) => restrictions.at.has(node));
  report(0.25);
  const turns = makeTurns(pieces, segments, restrictions, profile, isLeftAt(extract, profile));
  report(0.35);
  const components = findComponents(turns, (arc) => isOpenArc(segments, arc));
  const index = makeSnapIndex(segments, pieces.nodeLat, pieces.nodeLon);
  report(0.5);
  const names = nameTable(pieces, segments);
  const segmentFlags = new Uint8Array(segments.count);
  const segmentMode = new Uint8Array(segments.count);
  const segmentModeBack = new Uint8Array(segments.count);
  for (let s = 0; s < segments.count; s++) {
    const use = pieces.uses[segments.use[s]!]!;
    const isAgainst = segments.isAgainst[s] === 1;
    segmentMode[s] = isAgainst ? use.modeBackward : use.mode;
    segmentModeBack[s] = isAgainst ? use.mode : use.modeBackward;
    segmentFlags[s] =
      (use.roundabout ? ROUNDABOUT : 0) |
      (use.startable ? STARTABLE : 0) |
      (components.size[components.of[s]!]! < minComponent ? SMALL : 0);
  }
  const order = contractionOrder(segments, pieces.nodeLat, pieces.nodeLon, (done) => report(0.5 + 0.45 * done));
  report(0.95);
  const bytes = Roads.pack(
    {
      profile: profile.name,
      signal: Math.round(profile.signal * 10),
      minComponent,
      ...(pieces.doubts.length > 0 && { doubts: pieces.doubts }),
    },
    {
      nodeLat: pieces.nodeLat,
      nodeLon: pieces.nodeLon,
      nodeFlags: pieces.nodeFlags,
      segmentFirst: segments.first,
      shape: segments.shape,
      pieceForward: segments.forward,
      pieceBackward: segments.backward,
      segmentFlags,
      segmentMode,
      segmentModeBack,
      segmentName: names.of,
      segmentComponent: components.of,
      turnFirst: turns.first,
      turnHead: turns.head,
      turnCost: turns.cost,
      nameFirst: names.first,
      nameBytes: names.bytes,
      indexPieces: index.pieces,
      indexSegments: index.segmentOf,
      indexBoxes: index.boxes,
      indexLevels: index.levels,
      order,
    },
  );
  let roadArcs = 0;
  for (let arc = 0; arc < segments.count * 2; arc++) if (isOpenArc(segments, arc)) roadArcs++;
  report(1);
  const log = restrictions.passedOver
    ? [
        `${restrictions.passedOver} turn restrictions were passed over: a member is missing, or a way stands for the node.`,
      ]
    : [];
  if (pieces.doubts.length > 0)
    log.push(
      `${pieces.doubts.length} posted limits cannot be read and are not passed: ${[...new Set(pieces.doubts.map(({ tag }) => tag))].slice(0, 5).join(', ')}`,
    );
  return { bytes, roadNodes: pieces.nodeLat.length, roadArcs, log };
}

function isLeftAt(extract: OsmExtract, { drivesOn }: Profile): (lat: number, lon: number) => boolean {
  return drivesOn === 'local' ? leftHandTraffic(extract) : () => drivesOn === 'left';
}

/** Every name once; number 0 is the empty one. */
function nameTable(pieces: Pieces, segments: Segments): { of: Uint32Array; first: Uint32Array; bytes: Uint8Array } {
  const numbers = new Map<string, number>([['', 0]]);
  const of = new Uint32Array(segments.count);
  for (let s = 0; s < segments.count; s++) {
    const { name } = pieces.uses[segments.use[s]!]!;
    let number = numbers.get(name);
    if (number === undefined) numbers.set(name, (number = numbers.size));
    of[s] = number;
  }
  const texts = [...numbers.keys()].map((name) => new TextEncoder().encode(name));
  const first = new Uint32Array(texts.length + 1);
  for (let i = 0; i < texts.length; i++) first[i + 1] = first[i]! + texts[i]!.length;
  const bytes = new Uint8Array(first[texts.length]!);
  for (let i = 0; i < texts.length; i++) bytes.set(texts[i]!, first[i]!);
  return { of, first, bytes };
}
