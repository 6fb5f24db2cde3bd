import { z } from 'zod';
import { setting } from '../setting.ts';

/** Settings of the first start. */
export const FIRST_START_SETTINGS = {
  adminPassword: setting({
    schema: z.string().min(1).max(500).nullable(),
    default: null,
    environment: 'WAYPOST_ADMIN_PASSWORD',
    reason: 'Password of `admin`, created at the first start. If not set: a random one is printed once.',
  }),
  demo: setting({
    schema: z.boolean(),
    default: false,
    flag: 'demo',
    plain: true,
    reason: 'Fills an empty station with the embedded demo town, vehicles and tasks, and drives the vehicles.',
  }),
  demoSpeed: setting({
    schema: z.number().min(0).max(100),
    default: 1,
    environment: 'WAYPOST_DEMO_SPEED',
    reason: 'How many times faster than real time the demo vehicles drive; 0: they stand still.',
  }),
} as const;
