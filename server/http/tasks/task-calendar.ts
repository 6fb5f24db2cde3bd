import type { Caller } from '../../access/accounts/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { CALENDAR_TYPE, calendarOf, eventLines, LAST_IN_CALENDAR } from '../app/icalendar.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

interface CalendarRooms {
  readonly tasks: Tasks;
  readonly stationId: string;
  readonly name: string;
  now(): number;
}

/** Tasks of one calendar; the nearest ones are in it. */
const MOST = 2_000;
const PAGE = 500;

/** Tasks for later, as a calendar that other programs subscribe to. */
export function taskCalendarRoutes(rooms: CalendarRooms): DeclaredRoute[] {
  const { tasks, stationId, name, now } = rooms;
  return [
    route({
      family: 'station',
      access: 'user',
      group: 'news',
      method: 'GET',
      path: '/news.ics',
      cost: 2,
      summary: 'Messages for later as a calendar',
      description: `iCalendar (RFC 5545), for calendars that subscribe to an address: \`?token=KEY\` with a key of the scope \`read\`. It has the open messages that begin ahead and that the owner of the key sees, the nearest ${MOST}.`,
      answer: { type: CALENDAR_TYPE },
      run: async ({ caller, response }) => {
        response.type(CALENDAR_TYPE);
        const at = now();
        const events = (await tasksAhead(tasks, caller, at)).map(({ id, date, title, text, address, point, typeId }) =>
          eventLines({
            uid: `task-${id}@${stationId}`,
            ...{ now: at, begin: date, end: null, name: `${id} ${title}`, text, address },
            place: point ?? undefined,
            category: tasks.types.get(typeId)?.name ?? '',
          }),
        );
        return calendarOf('Tasks', name, events);
      },
    }),
  ];
}

async function tasksAhead({ lists }: Tasks, caller: Caller, now: number) {
  const found = [];
  for (let after = 0; found.length < MOST;) {
    const query = {
      withAssigned: true,
      from: now,
      until: LAST_IN_CALENDAR,
      sortBy: 'date',
      direction: 'asc',
      after,
      limit: PAGE,
    } as const;
    const page = await lists.page(caller, query);
    found.push(...page);
    if (page.length < PAGE) break;
    after = page.at(-1)!.id;
  }
  return found;
}
