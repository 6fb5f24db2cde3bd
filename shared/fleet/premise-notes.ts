import { airDistance } from '../geo/geometry.ts';
import { depthOf } from '../geo/shapes.ts';
import type { Geozone, PremiseNote } from '../records/index.ts';
import { versionAt } from './versions.ts';

type Position = { readonly lat: number; readonly lon: number };

/** The notes that hold at a place now, the nearest first and those of areas last. */
export function notesAt(
  notes: readonly PremiseNote[],
  place: Position,
  isInside: (geozoneId: number) => boolean,
  now: number,
): PremiseNote[] {
  return notes
    .filter(({ until }) => until === null || now < until)
    .map((note) => ({ note, metres: note.point ? airDistance(note.point, place) : Infinity }))
    .filter(({ note, metres }) => (note.point ? metres <= note.radius : isInside(note.geozoneId)))
    .sort((one, other) => (one.metres === other.metres ? one.note.id - other.note.id : one.metres - other.metres))
    .map(({ note }) => note);
}

/** The same, if the zones are available. */
export function premiseNotesAt(
  notes: readonly PremiseNote[],
  zones: readonly Geozone[],
  place: Position,
  now: number,
): PremiseNote[] {
  const isInside = (id: number) => {
    const zone = zones.find((one) => one.id === id);
    return zone !== undefined && depthOf(versionAt(zone, now).shape, [place.lon, place.lat]) <= 0;
  };
  return notesAt(notes, place, isInside, now);
}
