import { mayDirectCrews, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { FleetEntry, Vehicle } from '../../../shared/records/index.ts';

/** The vehicle as this user's replica holds it, without its device password; undefined: omitted. */
export function replicatedVehicle(
  actor: Actor,
  { devicePassword: _secret, ...vehicle }: Vehicle,
): Omit<Vehicle, 'devicePassword'> | undefined {
  return !vehicle.isDeleted && seesOrganization(actor, vehicle.organizationId) ? vehicle : undefined;
}

/**
 * All users get the makes, models and tags of the station, and the targets of every organization, since its
 * tasks may be assigned to theirs; entries of an organization go to those who see it. Sensors and the telephones of
 * crews are read over HTTP, own places as they are searched. Messages of crews go to those who direct crews.
 */
export function replicatedFleetEntry(actor: Actor, entry: FleetEntry): FleetEntry | undefined {
  if (entry.kind === 'sensor' || entry.kind === 'ownPlace' || entry.kind === 'crewPhone') return undefined;
  if (entry.kind === 'crewMessage' && !mayDirectCrews(actor)) return undefined;
  if (entry.kind === 'dispatchSettings') return entry;
  const owner = ('organizationId' in entry ? entry.organizationId : undefined) ?? 0;
  return owner === 0 || seesOrganization(actor, owner) ? entry : undefined;
}
