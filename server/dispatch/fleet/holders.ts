import type { Driver } from '../../../shared/records/index.ts';
import type { Mirror } from './mirror.ts';

/**
 * Holders of values that only one record may hold. Two linked stations may have given one value to two
 * records; the later one counts until it releases the value.
 */
export class Holders<K> {
  readonly #ids = new Map<K, number[]>();

  enter(key: K, id: number): void {
    const ids = this.#ids.get(key);
    if (ids) ids.push(id);
    else this.#ids.set(key, [id]);
  }

  leave(key: K, id: number): void {
    const left = this.#ids.get(key)?.filter((each) => each !== id) ?? [];
    if (left.length > 0) this.#ids.set(key, left);
    else this.#ids.delete(key);
  }

  holderOf(key: K): number | undefined {
    return this.#ids.get(key)?.at(-1);
  }
}

/** Drivers by the key that opens their shift. */
export function driverKeysOf(drivers: Mirror<Driver>): Holders<string> {
  const keys = new Holders<string>();
  const enter = ({ id, wire, isDeleted }: Driver) => void (!isDeleted && wire !== '' && keys.enter(wire, id));
  for (const driver of drivers.values()) enter(driver);
  drivers.watch((now, before) => {
    if (before) keys.leave(before.wire, before.id);
    if (now) enter(now);
  });
  return keys;
}
