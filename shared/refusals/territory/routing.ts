import type { RefusalEntries } from '../kinds.ts';

/** Road closures. */
export const closures = {
  missing: { kind: 'not-found', text: 'There is no closure {id}.' },
  nameless: { kind: 'invalid', text: 'A closure needs a name.' },
  shape: { kind: 'invalid', text: '{field} must be a Point, a LineString or a Polygon.' },
  large: { kind: 'invalid', text: 'The geometry of a closure has at most {most} positions.' },
  wide: {
    kind: 'forbidden',
    text: 'This affects {length} km of road. Without the right to close more, it may be at most {limit} km.',
  },
  mayNot: { kind: 'forbidden', text: 'You may not close roads: this needs the right to edit.' },
} as const satisfies RefusalEntries;

/** Routes, areas and tables of driving times. */
export const routing = {
  noRoads: { kind: 'no-territory', text: 'No territory is loaded, so there are no roads to route on.' },
  roadsUnreadable: { kind: 'no-territory', text: 'The roads of the territory cannot be read: import it again.' },
  closed: { kind: 'busy', text: 'The router was closed or must restart.' },
  ended: { kind: 'busy', text: 'The router was closed.' },
  restarted: { kind: 'busy', text: 'The router was restarted. Try again in a moment.' },
  restarting: { kind: 'busy', text: 'The router is restarting. Try again in a moment.' },
  tooMany: { kind: 'busy', text: 'The router has too many requests waiting. Try again in a moment.' },
  tooManyAreas: {
    kind: 'busy',
    text: 'The router is drawing too many areas and large tables already. Try again in a moment.',
  },
  roadsFirst: {
    kind: 'busy',
    text: 'The roads for {profile} are being made for the first time. Try again in a moment.',
  },
  roadsFailed: { kind: 'busy', text: 'The roads for {profile} could not be made. Try again in a moment.' },
  preparingStuck: {
    kind: 'busy',
    text: 'The thread that prepares the roads made no progress for {seconds} s. Try again in a moment.',
  },
  badRequest: { kind: 'invalid', text: 'Bad Request' },
  malformedAt: { kind: 'invalid', text: 'Query string malformed close to position {position}' },
  headings: { kind: 'invalid', text: 'There are {count} directions (b) for {points} points.' },
  noTimes: { kind: 'invalid', text: 'The driving times are missing: minutes=5,10,15.' },
  tooManyTimes: { kind: 'invalid', text: '{count} times were given in minutes; at most {most} are allowed.' },
  tooManyPoints: { kind: 'invalid', text: '{count} points were given; at most {most} are allowed.' },
  noProfile: { kind: 'invalid', text: 'There is no vehicle profile {profile}; there are {others}.' },
  fewPoints: { kind: 'invalid', text: 'A route needs at least two points.' },
  times: { kind: 'invalid', text: 'Driving times must be given, ascending and above zero.' },
  offTheGlobe: { kind: 'invalid', text: '{lat}, {lon} is not a point on the globe.' },
  speedsByEditor: {
    kind: 'forbidden',
    text: 'You may not change the speeds that routes use: this needs the right to edit, and to see every organisation.',
  },
} as const satisfies RefusalEntries;
