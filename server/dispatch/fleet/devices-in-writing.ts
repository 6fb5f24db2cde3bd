import type { Vehicle } from '../../../shared/records/index.ts';
import { Holders } from './holders.ts';

type Device = Pick<Vehicle, 'id' | 'glonassId' | 'imei'>;

/** Devices of vehicles that are being written. The roster has them only when they are on disk. */
export class DevicesInWriting {
  readonly #byGlonassId = new Holders<number>();
  readonly #byImei = new Holders<string>();

  /** @param write passes each vehicle that it writes through `keep`, which holds its device until the end */
  async during<R>(write: (keep: <V extends Device>(vehicle: V) => V) => Promise<R>): Promise<R> {
    const kept: Device[] = [];
    try {
      return await write((vehicle) => {
        this.#byGlonassId.enter(vehicle.glonassId, vehicle.id);
        this.#byImei.enter(vehicle.imei, vehicle.id);
        kept.push(vehicle);
        return vehicle;
      });
    } finally {
      for (const { id, glonassId, imei } of kept) {
        this.#byGlonassId.leave(glonassId, id);
        this.#byImei.leave(imei, id);
      }
    }
  }

  withGlonassId(glonassId: number): Pick<Vehicle, 'id'> | undefined {
    return held(this.#byGlonassId.holderOf(glonassId));
  }

  withImei(imei: string): Pick<Vehicle, 'id'> | undefined {
    return held(this.#byImei.holderOf(imei));
  }
}

function held(id: number | undefined): Pick<Vehicle, 'id'> | undefined {
  return id === undefined ? undefined : { id };
}
