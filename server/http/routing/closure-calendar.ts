import type { Closures } from '../../geo/closures/index.ts';
import { CALENDAR_TYPE, calendarOf, eventLines, LAST_IN_CALENDAR } from '../app/icalendar.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

type PlannedClosure = ReturnType<Closures['list']>[number];

/** Closures with a beginning, as a calendar that other programs subscribe to. */
export function closureCalendarRoutes(
  closures: Closures,
  { stationId, name, now }: { readonly stationId: string; readonly name: string; readonly now: () => number },
): DeclaredRoute[] {
  return [
    route({
      family: 'station',
      access: 'user',
      group: 'Closures',
      method: 'GET',
      path: '/closures.ics',
      summary: 'Planned closures as a calendar',
      description:
        'iCalendar (RFC 5545), for calendars that subscribe to an address: `?token=KEY` with a key of the scope `read`. Closures without a beginning are left out; one without an end has no end there either.',
      answer: { type: CALENDAR_TYPE },
      run: ({ response }) => {
        response.type(CALENDAR_TYPE);
        const planned = closures.list().filter(({ from }) => from !== null && from <= LAST_IN_CALENDAR);
        return calendarOf(
          'Closures',
          name,
          planned.map((closure) => closureEvent(closure, stationId, now())),
        );
      },
    }),
  ];
}

function closureEvent(closure: PlannedClosure, station: string, now: number): string[] {
  const { id, name, reason, geometry, from, until, factor } = closure;
  const [lon, lat] = geometry.type === 'Point' ? geometry.coordinates : [];
  return eventLines({
    uid: `closure-${id}@${station}`,
    ...{ now, begin: from!, end: until, name, text: reason },
    place: lon === undefined || lat === undefined ? undefined : { lon, lat },
    category: factor === 0 ? 'Closed' : 'Slowed',
  });
}
