import type { RefusalEntries } from '../kinds.ts';

/** The log-book and shifts. */
export const shifts = {
  mayNotWrite: { kind: 'forbidden', text: 'Your role may not write to the log-book.' },
  entryMissing: { kind: 'not-found', text: 'The log-book has no entry {id}.' },
  busyPeriod: {
    kind: 'invalid',
    text: 'More than {most} tasks changed in this period. Choose a shorter one.',
  },
  longPaper: { kind: 'invalid', text: 'The period has more than {most} lines. Choose a shorter one, or CSV.' },
  mayNotLead: { kind: 'forbidden', text: 'Your role may not change shifts.' },
  missing: { kind: 'not-found', text: 'There is no shift {id}.' },
  dutyMissing: { kind: 'not-found', text: 'There is no duty {id}.' },
  pinMissing: { kind: 'not-found', text: 'There is no note {id}.' },
  running: { kind: 'conflict', text: 'The shift {name} is running. Hand it over first.' },
  ended: { kind: 'conflict', text: 'The shift {name} has ended.' },
  dutyEnded: { kind: 'conflict', text: 'The duty {name} has ended.' },
  onDutyAlready: { kind: 'conflict', text: 'Vehicle {id} is on duty already.' },
  settingsByAdministrator: { kind: 'forbidden', text: 'Only administrators of the organisation set safety timers.' },
} as const satisfies RefusalEntries;
