/** A place on the map that a route passes. `vehicleId`: the current position of this vehicle. */
export interface StopPlace {
  readonly lat: number;
  readonly lon: number;
  readonly label: string;
  readonly vehicleId?: number;
  /** When the vehicle was there, epoch ms. */
  readonly seenAt?: number;
}

/** A line of the list: start, stops, goal. Without a place it is still to be filled. */
export interface Stop {
  readonly id: number;
  readonly place: StopPlace | undefined;
}

/** As many as one /viaroute takes. */
export const MAX_STOPS = 25;
const MIN_STOPS = 2;

export function freshStops(places: readonly StopPlace[] = []): readonly Stop[] {
  return Array.from({ length: Math.max(MIN_STOPS, Math.min(MAX_STOPS, places.length)) }, (_, index) => ({
    id: index + 1,
    place: places[index],
  }));
}

/** A new line that becomes the one at `index`. A list that is full stays as it is. */
export function insertStop(stops: readonly Stop[], index: number, place?: StopPlace): readonly Stop[] {
  return stops.length < MAX_STOPS ? stops.toSpliced(index, 0, { id: nextId(stops), place }) : stops;
}

/** Without a line; start and goal are always there, if only to be filled. */
export function removeStop(stops: readonly Stop[], id: number): readonly Stop[] {
  return stops.length > MIN_STOPS ? stops.filter((stop) => stop.id !== id) : putPlace(stops, id, undefined);
}

export function putPlace(stops: readonly Stop[], id: number, place: StopPlace | undefined): readonly Stop[] {
  return stops.map((stop) => (stop.id === id ? { ...stop, place } : stop));
}

/** Puts the line at `from` where `to` is; the others close up. */
export function moveStop(stops: readonly Stop[], from: number, to: number): readonly Stop[] {
  const moved = stops[from];
  if (!moved || to < 0 || to >= stops.length || from === to) return stops;
  return stops.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** The key of a line's name, for `t`. */
export function nameOfStop(
  index: number,
  count: number,
): { readonly key: string; readonly values: { readonly n: number } } {
  return { key: `routes.${index === 0 ? 'start' : index === count - 1 ? 'goal' : 'stop'}`, values: { n: index } };
}

/** The line that a click on the map fills: the one that waits for it, else the first empty one. */
export function lineToFill(stops: readonly Stop[], waiting: number | undefined): number | undefined {
  return (stops.find(({ id }) => id === waiting) ?? stops.find(({ place }) => !place))?.id;
}

/**
 * The index for a place that was dragged out of the route: after the filled stop whose leg it is on.
 * `viaIndices` are the vertices of the stops in the geometry, `vertex` the one before the place.
 */
export function indexOnWay(stops: readonly Stop[], viaIndices: readonly number[], vertex: number): number {
  const leg = Math.max(
    0,
    Math.min(
      viaIndices.length - 2,
      viaIndices.findLastIndex((index) => index <= vertex),
    ),
  );
  const filled = stops.flatMap(({ place }, index) => (place ? [index] : []));
  return (filled[leg] ?? 0) + 1;
}

/** Stops to and from a copied address; parts that are not coordinates are ignored. */
export const linkOf = (places: readonly StopPlace[]): string =>
  places.map(({ lat, lon }) => `${lat.toFixed(5)},${lon.toFixed(5)}`).join(';');
export function placesOfLink(text: string): readonly StopPlace[] {
  return text.split(';').flatMap((pair): StopPlace[] => {
    const [, lat, lon] = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(pair.trim()) ?? [];
    if (lat === undefined || Math.abs(+lat) > 90 || Math.abs(+lon!) > 180) return [];
    return [{ lat: +lat, lon: +lon!, label: coordinates(+lat, +lon!) }];
  });
}

/** The name of a place without a name. */
export const coordinates = (lat: number, lon: number): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

const nextId = (stops: readonly Stop[]) => Math.max(0, ...stops.map(({ id }) => id)) + 1;
