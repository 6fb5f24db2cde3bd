import { unknownState, type LastState } from '../../../../shared/fleet/last-state.ts';

/**
 * Numbers of a state as a row, in `tracks.db` and between threads. New fields go last, so that older rows
 * stay readable.
 */
const WIDTH = 18;

export function packStates(states: readonly LastState[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(states.length * WIDTH);
  let at = 0;
  for (const state of states) {
    numbers[at++] = state.id;
    numbers[at++] = state.time;
    numbers[at++] = state.storedAt;
    numbers[at++] = state.lat;
    numbers[at++] = state.lon;
    numbers[at++] = state.speed;
    numbers[at++] = state.direction;
    numbers[at++] = state.height;
    numbers[at++] = state.gpsCount;
    numbers[at++] = state.glonassCount;
    numbers[at++] = state.odometer;
    numbers[at++] = state.engineStop;
    numbers[at++] = state.engineMove;
    numbers[at++] = state.engineOn === null ? NaN : Number(state.engineOn);
    numbers[at++] = Number(state.stopped);
    numbers[at++] = state.stoppedSince;
    numbers[at++] = state.unitStatus;
    numbers[at++] = state.unitStatusSince;
  }
  return numbers;
}

export function unpackStates(numbers: Float64Array): LastState[] {
  const states: LastState[] = [];
  for (let at = 0; at < numbers.length; at += WIDTH) {
    const engineOn = numbers[at + 13]!;
    states.push({
      id: numbers[at]!,
      time: numbers[at + 1]!,
      storedAt: numbers[at + 2]!,
      lat: numbers[at + 3]!,
      lon: numbers[at + 4]!,
      speed: numbers[at + 5]!,
      direction: numbers[at + 6]!,
      height: numbers[at + 7]!,
      gpsCount: numbers[at + 8]!,
      glonassCount: numbers[at + 9]!,
      odometer: numbers[at + 10]!,
      engineStop: numbers[at + 11]!,
      engineMove: numbers[at + 12]!,
      engineOn: Number.isNaN(engineOn) ? null : engineOn === 1,
      stopped: numbers[at + 14] === 1,
      stoppedSince: numbers[at + 15]!,
      unitStatus: numbers[at + 16]!,
      unitStatusSince: numbers[at + 17]!,
    });
  }
  return states;
}

/** A stored state: numbers, or JSON from programs up to the third version of the tables. */
export function storedState(kept: Uint8Array | string): LastState {
  if (typeof kept === 'string') return { ...unknownState(0), ...(JSON.parse(kept) as LastState) };
  return unpackStates(new Float64Array(kept.slice().buffer))[0]!;
}
