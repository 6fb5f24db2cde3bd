import { defineProfile } from '../profile.ts';
import { car } from './car.ts';

/**
 * An ambulance or a fire engine on a call: opens what is closed to others by law but not by a wall, drives roads for pedestrians and tracks
 * where it must, is not held up by signals, and may turn where others may not. One-way streets are obeyed: they are one-way for all who come the other way.
 */
export const emergency = defineProfile({
  ...car,
  name: 'emergency',
  description: 'Emergency vehicle on a call',
  speeds: { ...car.speeds, living_street: 15, pedestrian: 10, track: 10, service: 20, road: 20 },
  access: {
    keys: ['emergency', ...car.access.keys],
    denied: ['no'],
    allowed: [...car.access.allowed, 'emergency', 'private', 'psv'],
  },
  closedWhen: { impassable: ['yes'], status: ['impassable'], smoothness: ['impassable'] },
  maxspeed: { ...car.maxspeed, advisory: false },
  barriers: { obeyed: true, passable: [...car.barriers.passable, 'bollard', 'chain', 'bump_gate', 'swing_gate', 'bus_trap'] },
  signal: 0,
  turns: { ...car.turns, uturn: 10, restrictionKeys: ['emergency'] },
});
