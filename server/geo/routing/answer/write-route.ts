import type { Roads } from '../../territory/roads/reading.ts';
import { compassName } from './compass.ts';
import type { RouteFormat } from '../types.ts';
import type { DrawnTrip, Instruction } from './trip-drawer.ts';
import type { ResultRoute, RouteResult } from './route-result.ts';
import { encodeHint } from '../snapping/hints.ts';
import { notOnMap } from './not-on-map.ts';
import { POINT_BYTES, writePolyline } from './polyline.ts';

const BACKSLASH = 0x5c;

/**
 * Writes answers of `/viaroute` straight into bytes: by way of objects, `JSON.stringify` and an encoder,
 * writing takes as long as the search.
 */
export class RouteWriter {
  readonly #roads: Roads;
  #form!: RouteFormat;
  /** Buffer for every answer; grows with the longest. */
  #bytes = Buffer.alloc(64 * 1024);
  #at = 0;
  /** Text not in `#bytes` yet: few long strings encode much faster than many short ones. */
  #pending = '';

  constructor(roads: Roads) {
    this.#roads = roads;
  }

  /** Returns bytes in memory of their own. */
  write(found: RouteResult, form: RouteFormat): Uint8Array<ArrayBuffer> {
    this.#form = form;
    this.#at = 0;
    if (form.gpx) this.#gpx(found);
    else if (form.jsonp === undefined) this.#route(found);
    else {
      this.#text(`${form.jsonp}(`);
      this.#route(found);
      this.#text(')');
    }
    this.#flush();
    const bytes = new Uint8Array(this.#at);
    bytes.set(this.#bytes.subarray(0, this.#at));
    return bytes;
  }

  #text(text: string): void {
    this.#pending += text;
  }

  #route({ places, offMap, best, alternative, learnedSpeeds }: RouteResult): void {
    const nothing = offMap ? notOnMap(offMap) : 'Cannot find route between points';
    if (!best) return this.#text(`{"status":207,"status_message":"${nothing}"}`);
    const { drawn } = best;
    const { geometry, instructions } = this.#form;
    this.#text('{"status":0,"status_message":"Found route between points"');
    if (geometry) this.#geometry(',"route_geometry":', drawn, '');
    if (instructions) this.#text(`,"route_instructions":${this.#steps(drawn.instructions)}`);
    this.#text(`,"route_summary":${this.#summary(drawn)},"route_name":${this.#names(best)}`);
    this.#text(
      `,"via_points":[${places.map(({ lat, lon }) => `[${lat / 1e6},${lon / 1e6}]`).join()}],"via_indices":[${drawn.via.join()}],"found_alternative":${alternative !== undefined}`,
    );
    if (alternative) this.#alternative(alternative);
    const { checksum } = this.#roads;
    this.#text(
      `,"hint_data":{"locations":[${places.map((place) => `"${encodeHint(place, this.#roads)}"`).join()}],"checksum":${checksum}},"closures":[${best.closures.join()}]`,
    );
    if (best.notes.length > 0) this.#text(`,"notes":${JSON.stringify(best.notes)}`);
    this.#text(learnedSpeeds ? ',"learned_speeds":true}' : '}');
  }

  #alternative(found: ResultRoute): void {
    const { drawn, closures } = found;
    const { geometry, instructions } = this.#form;
    if (geometry) this.#geometry(',"alternative_geometries":[', drawn, ']');
    if (instructions) this.#text(`,"alternative_instructions":[${this.#steps(drawn.instructions)}]`);
    this.#text(`,"alternative_summaries":[${this.#summary(drawn)}],"alternative_names":[${this.#names(found)}]`);
    this.#text(
      `,"alternative_indices":[${drawn.via[0]},${drawn.via.at(-1)}],"alternative_closures":[[${closures.join()}]]`,
    );
  }

  #summary({ distance, time, startName, endName }: DrawnTrip): string {
    return `{"total_distance":${Math.round(distance)},"total_time":${Math.round(time / 10)},"start_point":${this.#name(startName)},"end_point":${this.#name(endName)}}`;
  }

  #names({ names: [first, second] }: ResultRoute): string {
    return `[${this.#name(first)},${this.#name(second)}]`;
  }

  #name(name: number): string {
    return this.#roads.nameJson(name);
  }

  /** Instructions. Whole seconds are cut from the running total, so that they add up to it. */
  #steps(rows: readonly Instruction[]): string {
    let text = '[';
    let exact = 0;
    let emitted = 0;
    for (const [i, row] of rows.entries()) {
      exact += row.time;
      const seconds = Math.round(exact / 10) - emitted;
      emitted += seconds;
      const metres = Math.round(row.distance);
      text += `${i === 0 ? '' : ','}["${row.code}",${this.#name(row.name)},${metres},${row.vertex},${seconds},"${metres}m","${compassName(row.bearing)}",${Math.round(row.bearing)},${row.mode}]`;
    }
    return `${text}]`;
  }

  #geometry(before: string, { lat, lon }: DrawnTrip, after: string): void {
    this.#text(before);
    if (this.#form.compression) {
      this.#text('"');
      this.#flush();
      this.#polyline(lat, lon);
      this.#text('"');
    } else {
      this.#text('[');
      for (let i = 0; i < lat.length; i++) this.#text(`${i === 0 ? '' : ','}[${lat[i]! / 1e6},${lon[i]! / 1e6}]`);
      this.#text(']');
    }
    this.#text(after);
  }

  /** As in a JSON string. */
  #polyline(lat: Int32Array, lon: Int32Array): void {
    this.#makeRoom(lat.length * POINT_BYTES * 2);
    const bytes = this.#bytes;
    const from = this.#at;
    const end = writePolyline(lat, lon, bytes, from);
    let escapes = 0;
    for (let i = from; i < end; i++) if (bytes[i] === BACKSLASH) escapes++;
    this.#at = end + escapes;
    // Backwards, so that no byte is overwritten before it is moved.
    for (let i = end - 1, to = this.#at - 1; to > i; i--) {
      const byte = bytes[i]!;
      bytes[to--] = byte;
      if (byte === BACKSLASH) bytes[to--] = byte;
    }
  }

  /** `output=gpx`: a route of bare points, both ends and the nodes between; empty without a route. */
  #gpx({ best, places }: RouteResult): void {
    this.#text(
      '<?xml version="1.0" encoding="UTF-8"?><gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">',
    );
    this.#text(
      '<metadata><copyright author="OpenStreetMap contributors"><license>Data (c) OpenStreetMap contributors (ODbL)</license></copyright></metadata><rte>',
    );
    if (best) {
      const { lat, lon, via } = best.drawn;
      const last = lat.length - 1;
      // Via points between two nodes are left out.
      const left = new Set(
        via.filter(
          (vertex, point) => vertex > 0 && vertex < last && places[point]!.ratio > 0 && places[point]!.ratio < 1,
        ),
      );
      for (let i = 0; i <= last; i++)
        if (!left.has(i))
          this.#text(`<rtept lat="${(lat[i]! / 1e6).toFixed(6)}" lon="${(lon[i]! / 1e6).toFixed(6)}"></rtept>`);
    }
    this.#text('</rte></gpx>');
  }

  #flush(): void {
    const text = this.#pending;
    if (text === '') return;
    this.#pending = '';
    this.#makeRoom(text.length * 3); // most bytes of UTF-8 for so many units of UTF-16
    this.#at += this.#bytes.write(text, this.#at);
  }

  #makeRoom(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.alloc((this.#at + more) * 2);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}
