import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import type { Closure } from '../routing/index.ts';

/** The closures under which a station asks. */
export interface MapConditions {
  /** Id of the territory. */
  readonly map: string;
  /** Of the closures. */
  readonly digest: string;
  /** Id of the station that says it. */
  readonly station: string;
  readonly closures: readonly Closure[];
}

/** The most bytes after inflating. */
const LARGEST = 30_000_000;

const position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({ type: z.literal('LineString'), coordinates: z.array(position).min(2) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(position).min(4)).min(1) }),
]);
const Conditions = z.object({
  map: z.string().max(100),
  digest: z.string().max(100),
  station: z.string().max(100),
  closures: z.array(z.object({ id: z.number(), geometry, factor: z.number().min(0).max(1) })),
});

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);

/** Equal for closures that change routes alike. */
export function digestOfClosures(closures: readonly Closure[]): string {
  return createHash('sha256')
    .update(JSON.stringify(plain(closures)))
    .digest('hex')
    .slice(0, 16);
}

export async function packConditions({ closures, ...rest }: MapConditions): Promise<Uint8Array> {
  return pack(JSON.stringify({ ...rest, closures: plain(closures) }));
}

/** undefined: no station says so. */
export async function unpackConditions(bytes: Uint8Array): Promise<MapConditions | undefined> {
  try {
    const text = (await unpack(bytes, { maxOutputLength: LARGEST })).toString('utf8');
    const { data } = Conditions.safeParse(JSON.parse(text));
    return data?.digest === digestOfClosures(data?.closures ?? []) ? data : undefined;
  } catch {
    return undefined;
  }
}

function plain(closures: readonly Closure[]) {
  return [...closures]
    .sort((a, b) => a.id - b.id)
    .map(({ id, geometry: { type, coordinates }, factor }) => ({ id, geometry: { type, coordinates }, factor }));
}
