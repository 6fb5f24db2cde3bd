import { defineProfile } from './profile.ts';
import { car } from './car.ts';

/** km/h: walking pace in pedestrian streets. */
const WALKING_PACE = 6;

/**
 * An ambulance or a fire engine on a call: uses roads closed by law but not by a wall, streets for buses,
 * pedestrian roads at walking pace and tracks if needed, is not delayed by signals, and may turn where others
 * may not. One-way streets are obeyed because of oncoming traffic.
 */
export const emergency = defineProfile({
  ...car,
  name: 'emergency',
  description: 'Emergency vehicle on a call',
  speeds: { ...car.speeds, living_street: 15, pedestrian: 10, track: 10, service: 20, road: 20, busway: 40 },
  access: {
    keys: ['emergency', ...car.access.keys],
    denied: ['no'],
    allowed: [...car.access.allowed, 'emergency', 'private', 'psv'],
    // Only `emergency=no` keeps it out.
    overruled: car.access.keys,
  },
  drivenCaps: {
    highway: {
      pedestrian: WALKING_PACE,
      footway: WALKING_PACE,
      path: WALKING_PACE,
      cycleway: WALKING_PACE,
      bridleway: WALKING_PACE,
    },
  },
  closedWhen: {
    highway: ['steps', 'corridor', 'elevator'],
    impassable: ['yes'],
    status: ['impassable'],
    smoothness: ['impassable'],
  },
  maxspeed: { ...car.maxspeed, advisory: false },
  barriers: {
    obeyed: true,
    passable: [...car.barriers.passable, 'bollard', 'chain', 'bump_gate', 'swing_gate', 'bus_trap'],
  },
  signal: 0,
  turns: { ...car.turns, uturn: 10, restrictionKeys: ['emergency'] },
});
