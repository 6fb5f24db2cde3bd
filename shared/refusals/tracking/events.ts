import type { RefusalEntries } from '../kinds.ts';

/** Alarms and the rules that raise them. */
export const alarms = {
  missing: { kind: 'not-found', text: 'There is no alarm {id}.' },
  cleared: { kind: 'conflict', text: 'The alarm is cleared already.' },
  shelved: { kind: 'conflict', text: 'The alarm is on the shelf: take it off first.' },
  emergency: { kind: 'invalid', text: 'An emergency alarm cannot be shelved.' },
  noReason: { kind: 'invalid', text: '{field} must not be empty: say why the alarm is put aside.' },
  mayNotAnswer: {
    kind: 'forbidden',
    text: 'You may not answer alarms: it takes the right to change the status of tasks.',
  },
  rulesByAdministrator: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may change what raises an alarm.',
  },
  tooManyRules: { kind: 'invalid', text: 'There may be {most} rules at most.' },
  ruleTwice: { kind: 'invalid', text: 'The rule {id} is there twice.' },
  ruleName: { kind: 'invalid', text: '{field} of the rule {id} must not be empty.' },
  ruleResponse: {
    kind: 'invalid',
    text: '{field} of the rule {id} must not be empty: an alarm to which nobody can do anything is an event.',
  },
} as const satisfies RefusalEntries;

/** Events and their thresholds. */
export const events = {
  missing: { kind: 'not-found', text: 'There is no event {id}.' },
  longPeriod: { kind: 'invalid', text: 'from and till may be {days} days apart at most.' },
  noVehicle: { kind: 'invalid', text: '{field}: there is no vehicle {id}.' },
  thresholdsByAdministrator: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may change the thresholds of its events.',
  },
  thresholdsOfVehicles: {
    kind: 'invalid',
    text: '{field} and parkingAfter do not go with what vehicles have of their own: parkingAfter would be shorter than stopAfter for {names}. Change theirs first.',
  },
  threadDied: { kind: 'busy', text: 'The thread that works events out died before it knew what it has to.' },
  trialRunning: { kind: 'busy', text: 'Thresholds are being tried already. Wait until that is done.' },
  trialEnded: { kind: 'busy', text: 'The trial was broken off.' },
  trialTooLarge: {
    kind: 'too-large',
    text: 'from, till and cars ask for more than {most} records. Ask for fewer vehicles, or a shorter time.',
  },
} as const satisfies RefusalEntries;
