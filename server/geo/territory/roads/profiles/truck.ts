import { defineProfile } from './profile.ts';
import { car } from './car.ts';

/** A lorry of 4 m and 18 t: slower, kept out where it does not fit, slow to turn. */
export const truck = defineProfile({
  ...car,
  name: 'truck',
  description: 'Lorry, 4 m high, 18 t',
  speeds: {
    ...car.speeds,
    motorway: 80,
    trunk: 75,
    primary: 60,
    secondary: 50,
    tertiary: 35,
    unclassified: 25,
    residential: 20,
    living_street: 8,
    service: 12,
  },
  access: {
    ...car.access,
    keys: ['hgv', 'goods', 'motor_vehicle', 'vehicle', 'access'],
    allowed: [...car.access.allowed, 'hgv', 'goods', 'delivery'],
    directional: true,
  },
  maxspeed: { ...car.maxspeed, raises: false, vehicles: ['hgv', 'goods'] },
  limits: { height: 4, width: 2.55, length: 12, weight: 18, axleload: 10 },
  turns: {
    uturn: 60,
    right: 1.2,
    left: 1.8,
    restrictions: true,
    restrictionKeys: ['hgv', 'goods', 'motor_vehicle', 'vehicle'],
  },
});
