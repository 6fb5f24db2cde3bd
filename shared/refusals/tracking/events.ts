import type { RefusalEntries } from '../kinds.ts';

/** Alarms and the rules that raise them. */
export const alarms = {
  missing: { kind: 'not-found', text: 'There is no alarm {id}.' },
  cleared: { kind: 'conflict', text: 'The alarm is already cleared.' },
  shelved: { kind: 'conflict', text: 'The alarm is shelved: unshelve it first.' },
  emergency: { kind: 'invalid', text: 'An emergency alarm cannot be shelved.' },
  noReason: { kind: 'invalid', text: '{field} must not be empty: give the reason for shelving the alarm.' },
  mayNotAnswer: {
    kind: 'forbidden',
    text: 'You may not answer alarms: this needs the right to change the status of tasks.',
  },
  rulesByAdministrator: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may change what raises an alarm.',
  },
  tooManyRules: { kind: 'invalid', text: 'There may be at most {most} rules.' },
  ruleTwice: { kind: 'invalid', text: 'The rule {id} occurs twice.' },
  ruleName: { kind: 'invalid', text: '{field} of the rule {id} must not be empty.' },
  ruleResponse: {
    kind: 'invalid',
    text: '{field} of the rule {id} must not be empty: an alarm that needs no response is an event.',
  },
} as const satisfies RefusalEntries;

/** Events and their thresholds. */
export const events = {
  missing: { kind: 'not-found', text: 'There is no event {id}.' },
  longPeriod: { kind: 'invalid', text: 'from and till may be at most {days} days apart.' },
  noVehicle: { kind: 'invalid', text: '{field}: there is no vehicle {id}.' },
  thresholdsByAdministrator: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may change the thresholds of its events.',
  },
  thresholdsOfVehicles: {
    kind: 'invalid',
    text: '{field} and parkingAfter conflict with thresholds of vehicles: parkingAfter would be shorter than stopAfter for {names}. Change those first.',
  },
  threadDied: { kind: 'busy', text: 'The thread that computes events died before it was ready.' },
  trialRunning: { kind: 'busy', text: 'Another test of thresholds is running. Wait until it ends.' },
  trialEnded: { kind: 'busy', text: 'The test was cancelled.' },
  trialTooLarge: {
    kind: 'too-large',
    text: 'from, till and cars ask for more than {most} records. Ask for fewer vehicles, or a shorter time.',
  },
} as const satisfies RefusalEntries;
