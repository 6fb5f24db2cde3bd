import type { RefusalEntries } from '../kinds.ts';

/** Vehicles, drivers, sensors, geozones, planned routes. */
export const fleet = {
  missing: { kind: 'not-found', text: 'There is no vehicle {id}.' },
  statusByTask: {
    kind: 'forbidden',
    text: 'You may not set the status of crews: this needs the right to change the status of tasks.',
  },
  sent: { kind: 'conflict', text: '{name} was sent to {id} and has not arrived there. Release it there first.' },
  byAdministrator: { kind: 'forbidden', text: 'Only an administrator of the organisation may change its vehicles.' },
  retentionByAdministrator: {
    kind: 'forbidden',
    text: 'Only an administrator of the organisation may say how long its tracks are kept.',
  },
  quarantineSuperuserOnly: {
    kind: 'forbidden',
    text: 'The quarantine is for administrators who see every organisation.',
  },
  otherVehicle: { kind: 'invalid', text: '{field} {value} belongs to another vehicle.' },
  otherDriver: { kind: 'invalid', text: '{field} {wire} belongs to another driver.' },
  noPicture: { kind: 'not-found', text: '{name} has no picture.' },
  begunVersion: { kind: 'invalid', text: '{field} is in the past, but the changed version has not begun yet.' },
  beforePresent: { kind: 'invalid', text: '{field} is before {time}, when the present version begins.' },
  halfTheEarth: { kind: 'invalid', text: '{field} must not reach around half the earth.' },
  largeZone: { kind: 'invalid', text: 'The geometry of a zone has at most {most} positions.' },
  largeGeometry: { kind: 'invalid', text: 'The geometry has at most {most} positions.' },
  zoneShape: { kind: 'invalid', text: '{field} must be a Polygon, a Point with radius, or a LineString with width.' },
  largeIcon: {
    kind: 'invalid',
    text: '{field}: an icon has at most {most} pixels to a side, this picture has {width} by {height}.',
  },
  noVehicleInOrganization: { kind: 'invalid', text: '{field}: the organisation has no vehicle {id}.' },
  notLine: { kind: 'invalid', text: '{field} must be a LineString.' },
  controlPoints: { kind: 'invalid', text: 'A route has at most {most} control points.' },
  pointOfRoute: { kind: 'invalid', text: '{field} {id} is not a point of this route, or occurs twice.' },
  sensorVehicle: { kind: 'invalid', text: '{field} cannot change: the other vehicle gets a sensor of its own.' },
  calibrationLong: { kind: 'invalid', text: '{field} has at most {most} pairs.' },
  calibrationShort: { kind: 'invalid', text: '{field} needs at least two pairs, or none.' },
  calibrationFalls: { kind: 'invalid', text: '{field} must have rising raw values.' },
  digitalInput: { kind: 'invalid', text: '{field} of a digital input is from 0 to 31.' },
  largePlan: { kind: 'invalid', text: 'A plan asks for at most {most} vehicles.' },
  noteInTwoPlaces: { kind: 'invalid', text: 'A premise note is at a point or in a geozone, not both.' },
  modelsLeft: { kind: 'invalid', text: '{name} still has models.' },
  fieldFormat: { kind: 'invalid', text: '{field} of “{name}” cannot change.' },
  noCustomField: { kind: 'invalid', text: '{field} does not exist.' },
  noIcon: { kind: 'not-found', text: 'There is no icon {name}.' },
} as const satisfies RefusalEntries;
