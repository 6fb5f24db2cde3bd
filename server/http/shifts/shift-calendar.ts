import type { Shifts } from '../../dispatch/shifts/index.ts';
import { CALENDAR_TYPE, calendarOf, eventLines } from '../app/icalendar.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

interface ShiftCalendarRooms {
  readonly shifts: Shifts;
  readonly stationId: string;
  readonly name: string;
  nameOfUser(id: number): string;
  now(): number;
}

/** Shifts of one calendar, the newest first, and how far back it goes (ms). */
const MOST = 1_000;
const BACK = 92 * 86_400_000;

/** Shifts, as a calendar that other programs subscribe to. */
export function shiftCalendarRoutes({ shifts, stationId, name, nameOfUser, now }: ShiftCalendarRooms): DeclaredRoute[] {
  return [
    route({
      family: 'station',
      access: 'user',
      group: 'Shifts',
      method: 'GET',
      path: '/shifts.ics',
      summary: 'Shifts as a calendar',
      description:
        'iCalendar (RFC 5545), for calendars that subscribe to an address: `?token=KEY` with a key of the scope `read`. It has the shifts of 92 days that the owner of the key sees, with who began each and what it left to the next; one that runs has no end.',
      answer: { type: CALENDAR_TYPE },
      run: ({ caller, response }) => {
        response.type(CALENDAR_TYPE);
        const at = now();
        const events = shifts
          .list(caller, MOST)
          .filter(({ ended }) => ended === null || ended.at > at - BACK)
          .map(({ id, name: title, begun, ended, handover }) =>
            eventLines({
              uid: `shift-${id}@${stationId}`,
              ...{ now: at, begin: begun.at, end: ended?.at ?? null, place: undefined, category: 'Shift' },
              name: [title, nameOfUser(begun.userId)].filter(Boolean).join(', '),
              text: handover,
            }),
          );
        return calendarOf('Shifts', name, events);
      },
    }),
  ];
}
