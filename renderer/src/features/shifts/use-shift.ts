import { computed } from 'vue';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { CrewDuty } from '../../../../shared/records/index.ts';
import { isOnDuty, rollOf, runningShift } from '../../../../shared/shifts/on-duty.ts';
import { useFleetRecords } from '../../lib/replica/use-records.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useLive } from '../../lib/stores/live.ts';
import { useSession } from '../../lib/stores/session.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';

/** One line of those who are on duty. */
export interface DutyRow {
  readonly duty: CrewDuty;
  readonly name: string;
  readonly crew: string;
  readonly people: number;
  readonly roll: 'present' | 'missing' | undefined;
}

const NAMES = new Intl.Collator(undefined, { numeric: true });

/** The shift of the own organization, as the replica has it. */
export function useShift() {
  const session = useSession();
  const vehicles = useVehicles();
  const clock = useClock();
  const { records } = useLive();
  const [shifts, duties, pins] = [useFleetRecords('shift'), useFleetRecords('duty'), useFleetRecords('pin')];
  const isOwn = ({ organizationId }: { readonly organizationId: number }) =>
    organizationId === session.user?.organizationId;

  const current = computed(() => runningShift(shifts.current.value, session.user?.organizationId ?? 0));
  const isOfShift = (one: { readonly organizationId: number }) => current.value?.everywhere === true || isOwn(one);
  /** The last shift that ended, until the next one has taken it over. */
  const left = computed(() => {
    const ended = shifts.current.value.filter((shift) => isOwn(shift) && shift.ended);
    const last = ended.sort((a, b) => b.ended!.at - a.ended!.at)[0];
    return last && !last.accepted && last.handover ? last : undefined;
  });
  const personName = (id: number) => {
    const person = records.accounts.get(kindKeyOf('user', id));
    return person?.name ?? '';
  };
  const rows = computed<readonly DutyRow[]>(() => {
    void records.fleet.version.value;
    void records.accounts.version.value;
    return duties.current.value
      .filter((duty) => isOnDuty(duty) && isOfShift(duty))
      .map((duty) => {
        const drivers = duty.driverIds.map((id) => records.fleet.get(kindKeyOf('driver', id))?.name ?? '');
        const people = [...drivers, ...duty.userIds.map(personName)].filter(Boolean);
        const vehicle = vehicles.nameOf(duty.vehicleId);
        return {
          duty,
          name: [vehicle, duty.name].filter(Boolean).join(' · '),
          crew: people.join(', '),
          people: people.length,
          roll: rollOf(duty, current.value),
        };
      })
      .sort((one, other) => NAMES.compare(one.name, other.name));
  });
  const shown = computed(() =>
    pins.current.value
      .filter((pin) => isOwn(pin) && (pin.until === null || clock.now < pin.until))
      .sort((one, other) => one.at - other.at),
  );
  return {
    current,
    left,
    rows,
    personName,
    pinned: computed(() => shown.value.filter(({ forNext }) => !forNext)),
    forNext: computed(() => shown.value.filter(({ forNext }) => forNext)),
    /** Vehicles of the organization on which nobody is on duty. */
    offDuty: computed(() => {
      const busy = new Set(rows.value.map(({ duty }) => duty.vehicleId));
      return vehicles.all.filter((vehicle) => isOfShift(vehicle) && !busy.has(vehicle.id));
    }),
  };
}
