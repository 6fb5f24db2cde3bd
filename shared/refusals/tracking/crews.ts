import type { RefusalEntries } from '../kinds.ts';

/** Crews on their phones. */
export const crews = {
  wrongCode: {
    kind: 'wrong-login',
    text: 'The code is wrong, was used, or has expired. Ask the control room for a new one.',
  },
  signInRequired: { kind: 'unauthorized', text: 'Sign in with a code from the control room.' },
  dispatchersOnly: { kind: 'forbidden', text: 'Only users who may change the status of tasks may direct crews.' },
  noSession: { kind: 'not-found', text: 'There is no session {id} of a crew.' },
  notOnTask: { kind: 'not-found', text: '{name} is not on task {id}.' },
  noMessage: { kind: 'not-found', text: 'There is no message {id} of a crew.' },
  noFile: { kind: 'not-found', text: 'Task {id} has no file {file}.' },
  overtaken: { kind: 'conflict', text: 'The status of {name} was changed after this one.' },
  onTask: { kind: 'conflict', text: '{name} is on task {id}. Give it back first.' },
  ownTracker: { kind: 'conflict', text: 'The tracker of {name} reports its position.' },
  noPosition: { kind: 'conflict', text: 'The position of {name} is not known.' },
  noPlace: { kind: 'conflict', text: 'Task {id} has no place on the map.' },
} as const satisfies RefusalEntries;
