import type { RefusalEntries } from '../kinds.ts';

/** The `waypost` command. */
export const commands = {
  importCancelled: { kind: 'conflict', text: 'The import was cancelled. Nothing was changed.' },
  noFile: { kind: 'not-found', text: 'There is no file {file}.' },
  mayNotRead: {
    kind: 'invalid',
    text: 'The user {user}, as whom this command runs, may not read {file}. Copy it to a folder that this user may read, such as /var/tmp.',
  },
  severalLinks: { kind: 'invalid', text: 'Several links fit {word}. Use the id: see waypost link list.' },
  noLink: { kind: 'not-found', text: 'There is no link {word}. See waypost link list.' },
  notRunning: { kind: 'busy', text: 'No station runs on {data}. Start it with waypost serve --data {data}.' },
  noAnswer: { kind: 'busy', text: 'The station on {data} does not answer at {address}.' },
  noAnswerHere: { kind: 'busy', text: 'A station runs on this data directory, but does not answer at {address}.' },
  refused: { kind: 'invalid', text: '{fault}' },
  noWindows: { kind: 'invalid', text: 'This command is for services of Windows. Elsewhere see waypost serve.' },
  noServiceOfDesktop: {
    kind: 'invalid',
    text: 'The desktop program is not a service. Install the station for Windows.',
  },
  noService: { kind: 'not-found', text: 'The service is not installed: waypost service install.' },
  serviceFailed: { kind: 'conflict', text: 'The service did not start. {file} says why.' },
  serviceStays: { kind: 'busy', text: 'The service has not stopped yet. Check it with waypost service status.' },
  noAccess: { kind: 'conflict', text: 'The access rights of {data} could not be set.' },
  notAdministrator: { kind: 'forbidden', text: 'Run this command as an administrator of Windows.' },
  runByWindows: { kind: 'invalid', text: 'Only Windows runs this command. Use waypost service start.' },
  noUser: { kind: 'not-found', text: 'There is no user {login}.' },
  noRole: { kind: 'not-found', text: 'There is no role {name}. There are: {names}.' },
  urlAndToken: { kind: 'invalid', text: 'Give both --url and --token, or neither.' },
  noStation: {
    kind: 'invalid',
    text: 'No station runs on this data directory. Start one, or name one with --url and --token.',
  },
  stationRefused: { kind: 'invalid', text: 'The station refused: {fault}' },
  wrong: { kind: 'invalid', text: '{problem}' },
  noLinkedStation: { kind: 'not-found', text: 'No connected station is called {name}. See waypost territory list.' },
  territoryEnded: { kind: 'conflict', text: 'The territory was not copied completely: {fault}' },
  noAudit: { kind: 'not-found', text: 'This station has no audit trail yet: an older program wrote it.' },
  auditBroken: {
    kind: 'conflict',
    text: 'The audit trail is broken: entry {id} {fault}. The {entries} entries before it are sound.',
  },
  auditOther: {
    kind: 'conflict',
    text: 'The chain holds, but entry {id} is not the one that was noted: somebody computed a new chain.',
  },
  number: { kind: 'invalid', text: '{name} must be a number from {least} to {most}, not {text}.' },
} as const satisfies RefusalEntries;
