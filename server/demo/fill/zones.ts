import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { organizationOf } from './people.ts';
import { MODELS, SERVICES } from './services.ts';
import type { TownFacts } from './town-facts.ts';

/**
 * Geozones: the yard of each base, a slow zone in the middle of the town, the longest main road. Valid from
 * `since` on.
 */
export async function fillZones(fleet: Fleet, accounts: Accounts, facts: TownFacts, since: number): Promise<void> {
  const actor = accounts.stationActor();
  for (const service of SERVICES) {
    const organizationId = organizationOf(accounts, service);
    for (const [index, { lat, lon }] of facts.bases[service.base].slice(0, 2).entries()) {
      await fleet.geozones.create(actor, {
        name: `${service.name} base${index > 0 ? ` ${index + 1}` : ''}`,
        organizationId,
        geometry: { type: 'Point', coordinates: [lon, lat] },
        radius: 120,
        color: 'green',
        validFrom: since,
      });
    }
    await fleet.geozones.create(actor, {
      name: 'Town centre',
      organizationId,
      geometry: { type: 'Polygon', coordinates: [ringAround(facts.middle, 900)] },
      speedLimit: 50,
      color: 'yellow',
      validFrom: since,
    });
  }
  const [main] = facts.streets;
  if (main) {
    const organizationId = organizationOf(accounts, SERVICES.at(-1)!);
    await fleet.geozones.create(actor, {
      name: main.name,
      organizationId,
      geometry: { type: 'LineString', coordinates: main.line },
      width: 40,
      color: 'blue',
      validFrom: since,
    });
  }
}

/** Planned routes of the street services, along the main roads; the vehicles must be on disk. */
export async function fillRoutes(fleet: Fleet, accounts: Accounts, facts: TownFacts, since: number): Promise<void> {
  const actor = accounts.stationActor();
  const organizationId = organizationOf(accounts, SERVICES.at(-1)!);
  const vehicles = fleet.list(actor, { organizationIds: [organizationId] }).filter(({ vehicle }) => !vehicle.onService);
  for (const [index, { name, line }] of facts.streets.slice(0, 3).entries()) {
    const at = (share: number) => line[Math.round(share * (line.length - 1))]!;
    const points = [
      ['Start', 0],
      ['Half way', 0.5],
      ['End', 1],
    ].map(([point, share]) => ({
      name: point as string,
      lat: at(share as number)[1],
      lon: at(share as number)[0],
      radius: 60,
      arriveAfter: (share as number) * 1800,
    }));
    await fleet.routes.create(actor, {
      name: `Patrol ${name}`,
      organizationId,
      line: { type: 'LineString', coordinates: line },
      points,
      vehicleIds: vehicles.slice(index, index + 1).map(({ vehicle }) => vehicle.id),
      color: 'blue',
      validFrom: since,
    });
  }
}

/**
 * The sensors of the demo's trackers: the ignition on the first input, the fuel gauge on the first analogue
 * one (0 to 5 V).
 */
export async function fillSensors(fleet: Fleet, accounts: Accounts, since: number): Promise<void> {
  const actor = accounts.stationActor();
  for (const { vehicle, model } of fleet.list(actor)) {
    await fleet.sensors.create(actor, {
      vehicleId: vehicle.id,
      name: 'Ignition',
      type: 'ignition',
      input: { kind: 'input', index: 0 },
      validFrom: since,
    });
    const tank = model?.maxTank ?? Object.values(MODELS)[0]!.tank;
    // A tank is wider at the top than at the bottom, so half of the voltage is less than half of the litres.
    await fleet.sensors.create(actor, {
      vehicleId: vehicle.id,
      name: 'Fuel',
      type: 'fuel',
      unit: 'l',
      input: { kind: 'adc', index: 0 },
      calibration: [
        [0, 0],
        [1.25, Math.round(tank * 0.21)],
        [2.5, Math.round(tank * 0.46)],
        [3.75, Math.round(tank * 0.73)],
        [5, tank],
      ],
      validFrom: since,
    });
  }
}

/** A closed ring of eight corners, `radius` metres around a place. */
function ringAround({ lat, lon }: { lat: number; lon: number }, radius: number): [number, number][] {
  const corner = (step: number): [number, number] => {
    const angle = (step * Math.PI) / 4;
    return [
      lon + (Math.cos(angle) * radius) / (111_195 * Math.cos((lat * Math.PI) / 180)),
      lat + (Math.sin(angle) * radius) / 111_195,
    ];
  };
  return [0, 1, 2, 3, 4, 5, 6, 7, 0].map(corner);
}
