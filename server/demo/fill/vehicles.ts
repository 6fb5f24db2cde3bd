import type { Accounts } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import type { Chance } from '../chance.ts';
import { organizationOf } from './people.ts';
import { equipmentOf } from './plans.ts';
import { DRIVERS, MODELS, SERVICES } from './services.ts';
import type { TownFacts } from './town-facts.ts';

/** Letters of Russian number plates: those that look alike in both alphabets. */
const PLATE_LETTERS = 'АВЕКМНОРСТУХ';
/** First device number of the demo. */
const FIRST_DEVICE = 7001;

/** Makes, groups, tags, drivers. */
export async function fillGarage(fleet: Fleet, accounts: Accounts): Promise<void> {
  const actor = accounts.stationActor();
  for (const make of new Set(Object.values(MODELS).map(({ make }) => make)))
    await fleet.makes.create(actor, { name: make });
  for (const tag of [
    { name: 'Four-wheel drive', color: 'blue' },
    { name: 'Winter tyres', color: 'cyan' },
  ])
    await fleet.tags.create(actor, tag);
  for (const service of SERVICES)
    await fleet.groups.create(actor, { name: service.group, organizationId: organizationOf(accounts, service) });
  let driver = 0;
  for (const service of SERVICES) {
    for (let i = 0; i < driversOf(service); i++, driver++) {
      await fleet.drivers.create(actor, {
        name: DRIVERS[driver % DRIVERS.length],
        phone: `+7 900 555-${String(driver + 10).padStart(2, '0')}-${String((driver * 37) % 100).padStart(2, '0')}`,
        organizationId: organizationOf(accounts, service),
        wire: `DEMO${String(driver + 1).padStart(4, '0')}`,
      });
    }
  }
}

/** The models; their makes must be on disk. */
export async function fillModels(fleet: Fleet, accounts: Accounts): Promise<void> {
  for (const { make, name, litres, tank } of Object.values(MODELS)) {
    await fleet.models.create(accounts.stationActor(), {
      name,
      makeId: fleet.makes.current().find((one) => one.name === make)!.id,
      expenseOn100km: litres,
      maxTank: tank,
    });
  }
}

const driversOf = (service: (typeof SERVICES)[number]): number =>
  service.vehicles.reduce((sum, { count }) => sum + count, 0) + 1;

/** The vehicles with call signs, plates and drivers; records that they refer to must be on disk. */
export async function fillVehicles(fleet: Fleet, accounts: Accounts, chance: Chance): Promise<void> {
  const actor = accounts.stationActor();
  let device = FIRST_DEVICE;
  for (const service of SERVICES) {
    const organizationId = organizationOf(accounts, service);
    const drivers = fleet.drivers
      .current()
      .filter((driver) => driver.organizationId === organizationId)
      .map((driver) => driver.id);
    const group = fleet.groups.current().find((one) => one.organizationId === organizationId);
    for (const { callSign, count, model } of service.vehicles) {
      const kind = fleet.models.current().find((one) => one.name === MODELS[model]!.name);
      for (let number = 1; number <= count; number++) {
        await fleet.create(actor, {
          name: `${callSign} ${number}`,
          glonassId: device,
          imei: `86900000000${device}`,
          plate: plate(chance),
          organizationId,
          groupId: group?.id ?? 0,
          makeId: kind?.makeId ?? 0,
          modelId: kind?.id ?? 0,
          ...equipmentOf(fleet, callSign),
          driverIds: drivers.splice(0, 1),
          phone: `+7 900 777-${String(device).slice(1, 3)}-${String(device).slice(2)}`,
          // One of the larger kinds is always in the workshop.
          onService: number === count && count > 4,
          kmNextTo: chance.whole(9000) + 200,
        });
        device++;
      }
    }
  }
}

function plate(chance: Chance): string {
  const letter = (): string => PLATE_LETTERS[chance.whole(PLATE_LETTERS.length)]!;
  return `${letter()}${String(chance.whole(999) + 1).padStart(3, '0')}${letter()}${letter()} 214`;
}

/**
 * First positions: at the bases of the organizations, each vehicle on its own spot of the yard; some are on
 * the road already.
 */
export function firstFixes(
  fleet: Fleet,
  accounts: Accounts,
  facts: TownFacts,
  now: number,
  chance: Chance,
): Record<string, unknown>[] {
  return SERVICES.flatMap((service) => {
    const organizationId = organizationOf(accounts, service);
    const bases = facts.bases[service.base];
    return fleet.list(accounts.stationActor(), { organizationIds: [organizationId] }).map(({ vehicle }, i) => {
      const out = !vehicle.onService && chance.happens(0.4);
      const base = bases[i % bases.length]!;
      const { lat, lon } = out
        ? chance.pick(facts.addresses)
        : { lat: base.lat + 0.00009 * (i % 4), lon: base.lon + 0.00012 * Math.floor(i / 4) };
      return {
        glonassId: vehicle.glonassId,
        time: now,
        lat,
        lon,
        speed: 0,
        direction: (i * 90) % 360,
        height: 40,
        gpsCount: 9,
        glonassCount: 6,
        params: { unit_status: vehicle.onService ? 6 : out ? 1 : 2 },
      };
    });
  });
}
