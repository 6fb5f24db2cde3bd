import { isSameNumber, plainNumber } from '../../../shared/calls/number.ts';
import type { Driver, Vehicle } from '../../../shared/records/index.ts';
import type { SmsSettings } from './settings.ts';

/** A subscriber's number has so many digits at least; a shorter one is a service, or a mistake. */
const SHORTEST = 3;
/** E.164. */
const LONGEST = 15;

/** The number in the form for gateways: `+` and the country, if known. Empty: not a number. */
export function numberForGateway(
  written: string,
  { countryCode, trunkPrefix }: Pick<SmsSettings, 'countryCode' | 'trunkPrefix'>,
): string {
  const plain = plainNumber(written);
  const digits = plain.replace('+', '');
  if (digits.length < SHORTEST || digits.length > LONGEST) return '';
  if (plain.startsWith('+') || countryCode === '' || digits.length < 7) return plain;
  const national = trunkPrefix !== '' && digits.startsWith(trunkPrefix) ? digits.slice(trunkPrefix.length) : digits;
  return `+${countryCode}${national}`;
}

export interface CrewTelephones {
  readonly vehicle: Vehicle;
  /** The telephone that travels with it; empty: it has none. */
  readonly phone: string;
  /** Drivers on duty on it now, then those who usually drive it. */
  readonly drivers: readonly Driver[];
}

/** Where a text for a crew goes: its own telephone, else that of the first driver who has one. Empty: nowhere. */
export function numberOfCrew(
  { phone, drivers }: CrewTelephones,
  settings: Pick<SmsSettings, 'countryCode' | 'trunkPrefix'>,
): string {
  const written = [phone, ...drivers.map((driver) => driver.phone)];
  return written.map((one) => numberForGateway(one, settings)).find((one) => one !== '') ?? '';
}

/** The vehicle whose crew writes from this number; undefined: none or several. */
export function crewOfNumber(
  written: string,
  all: readonly CrewTelephones[],
  isOnDuty: (driver: Driver, vehicle: Vehicle) => boolean,
  settings: Pick<SmsSettings, 'countryCode' | 'trunkPrefix'>,
): Vehicle | undefined {
  const [number, plain] = [numberForGateway(written, settings), plainNumber(written)];
  const isIts = (phone: string) =>
    phone !== '' && (numberForGateway(phone, settings) === number || isSameNumber(plainNumber(phone), plain));
  const rounds: ((crew: CrewTelephones) => boolean)[] = [
    ({ phone }) => isIts(phone),
    ({ vehicle, drivers }) => drivers.some((driver) => isIts(driver.phone) && isOnDuty(driver, vehicle)),
    ({ drivers }) => drivers.some((driver) => isIts(driver.phone)),
  ];
  for (const round of rounds) {
    const found = all.filter(round);
    if (found.length > 0) return found.length === 1 ? found[0]!.vehicle : undefined;
  }
  return undefined;
}
