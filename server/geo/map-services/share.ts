import type { Geocoder, Hit } from '../geocoding/index.ts';
import type { DirectionsAnswer, LearnedSpeeds, Planner, Table, TableRequest } from '../routing/index.ts';
import type { MapServices } from './map-services.ts';
import type { MapQuestion } from './questions.ts';

/** Bytes of a cell of a table, in an answer with times and distances. */
const CELL = 8;
/** Bytes of a snapped point in it. */
const SNAPPED = 250;

/**
 * The planner of a station that lets map services answer its dear questions: tables, trips and matched tracks. Its own
 * threads answer the others, and those that no service answered.
 */
export function sharePlanner(
  own: Planner,
  services: Pick<MapServices, 'ask' | 'setClosures' | 'largestAnswer'>,
): Planner {
  // Services know no learned speeds: they are a file of this station.
  let hasSpeeds = false;
  own.onConditions(() => services.setClosures(own.closuresInForce));
  const ask = async <Answer>(question: MapQuestion, args: readonly unknown[], answer: () => Promise<Answer>) => {
    if (hasSpeeds) return answer();
    const found = await services.ask(question, args, true);
    return found ? (found.answer as Answer) : answer();
  };
  /** Limits of the own settings hold for the service, too. */
  const limited = <Request extends { snapLimit?: number }>(request: Request): Request => ({
    ...request,
    snapLimit: request.snapLimit ?? own.snapLimit,
  });
  const fits = ({ sources, targets }: TableRequest) =>
    sources.length * targets.length * CELL + (sources.length + targets.length) * SNAPPED < services.largestAnswer;
  const shared: Partial<Planner> = {
    table: (request) => {
      const answer = () => own.table(request);
      return fits(request) ? ask<Table>('table', [limited(request)], answer) : answer();
    },
    writtenTable: (request, form) => {
      const answer = () => own.writtenTable(request, form);
      return fits(request) ? ask('writtenTable', [limited(request), form], answer) : answer();
    },
    durations: (request, form) => {
      const answer = () => own.durations(request, form);
      return fits(request) ? ask<DirectionsAnswer>('durations', [limited(request), form], answer) : answer();
    },
    trip: (request, form) => ask('trip', [limited(request), form], () => own.trip(request, form)),
    match: (request, form) => ask('match', [request, form], () => own.match(request, form)),
    setSpeeds: async (speeds: LearnedSpeeds | undefined) => {
      if (speeds) hasSpeeds = true;
      await own.setSpeeds(speeds);
      hasSpeeds = speeds !== undefined;
    },
  };
  return over(own, shared);
}

/** The geocoder of a station that lets map services answer the questions of batches. */
export function shareGeocoder(own: Geocoder, services: Pick<MapServices, 'ask'>): Geocoder {
  return over(own, {
    search: async (question) => {
      const found = question.isOfBatch ? await services.ask('geocode', [question], false) : undefined;
      return found ? (found.answer as Hit[]) : own.search(question);
    },
  });
}

/** The same room with some of its methods replaced. */
function over<Room extends object>(own: Room, replaced: Partial<Room>): Room {
  return new Proxy(own, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return replaced[name as keyof Room];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
