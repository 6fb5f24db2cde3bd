import { z } from 'zod';
import { setting } from '../setting.ts';
import { port } from '../values.ts';

/** Routing and closures. */
export const ROUTING_SETTINGS = {
  'routerPort': setting({
    schema: port.nullable(),
    default: null,
    flag: 'router-port',
    environment: 'WAYPOST_ROUTER_PORT',
    reason:
      'A second port that serves routing alone, for clients of old routing servers (they expect 5000). Default: off.',
  }),
  'router.anonymous': setting({
    schema: z.boolean(),
    default: true,
    environment: 'WAYPOST_ROUTER_ANONYMOUS',
    reason: 'Whether routing answers without a token: its clients cannot send one.',
  }),
  'router.snapLimit': setting({
    schema: z.int().min(1).max(100_000_000),
    default: 5000,
    environment: 'WAYPOST_SNAP_LIMIT',
    reason: 'Metres: a place that is farther from every road is not on this map. The router port has no limit.',
  }),
  'router.threads': setting({
    schema: z.int().min(1).max(32),
    default: 1,
    environment: 'WAYPOST_ROUTER_THREADS',
    reason:
      'Threads that search routes. One answers about a thousand requests a second; each further one needs a core and memory.',
  }),
  'closures.wideLimit': setting({
    schema: z.number().min(0).max(1_000_000),
    default: 20,
    environment: 'WAYPOST_CLOSURES_WIDE_LIMIT',
    reason:
      'Kilometres of road that a user without the permission `closures-wide` may close: closures apply to every organisation.',
  }),
} as const;
