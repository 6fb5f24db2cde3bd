import { defineProfile } from '../profile.ts';

/** A walker: 5 km/h nearly everywhere, no one-ways, no turn costs. */
export const foot = defineProfile({
  name: 'foot',
  description: 'On foot',
  speeds: {
    primary: 5, primary_link: 5, secondary: 5, secondary_link: 5, tertiary: 5, tertiary_link: 5, unclassified: 5, residential: 5, living_street: 5,
    service: 5, road: 5, track: 5, path: 5, footway: 5, pedestrian: 5, steps: 2.5, pier: 5, cycleway: 5, bridleway: 5, corridor: 5,
  },
  otherSpeed: 5,
  routes: { ferry: { speed: 5, mode: 2 } },
  access: { keys: ['foot', 'access'], denied: ['no', 'private', 'agricultural', 'forestry'], allowed: ['yes', 'permissive', 'designated', 'destination', 'customers'] },
  oneway: { obeyed: false, keys: [], implied: [], roundabouts: false },
  maxspeed: { obeyed: false, raises: false, advisory: false, kinds: {}, exceptions: {} },
  caps: { surface: { mud: 3, sand: 3 }, smoothness: { impassable: 0 } },
  barriers: { obeyed: true, passable: ['gate', 'lift_gate', 'swing_gate', 'kissing_gate', 'stile', 'turnstile', 'bollard', 'block', 'cycle_barrier', 'cattle_grid', 'border_control', 'toll_booth', 'entrance', 'sally_port', 'kerb', 'chain', 'log', 'no'] },
  turns: { uturn: 0, right: 0, left: 0, restrictions: false, restrictionKeys: [] },
});
