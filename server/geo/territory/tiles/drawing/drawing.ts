import { MISSING } from '../../extract/extract.ts';
import type { OsmExtract, Tags } from '../../extract/extract.ts';
import { signedArea2 } from '../../geometry/rings.ts';
import type { Ring } from '../../geometry/rings.ts';
import { MIN_PIXELS } from '../features/areas.ts';
import { DrawnNumbers } from './drawn-numbers.ts';
import { MAX_ZOOM } from '../layers.ts';
import type { DrawnAs } from '../layers.ts';
import { LINE, MapFileBuilder, POINT, POLYGON } from '../map-file/map-file.ts';
import { mercatorX, mercatorY, zoomFor } from '../mercator.ts';

/** An extract with its nodes on the map's plane, and the file being drawn. */
export class FeatureWriter {
  readonly extract: OsmExtract;
  readonly file = new MapFileBuilder();
  /** World units by position of the node. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /**
   * Ways that are outlines of a multipolygon with the same meaning; drawn separately they would fill its
   * holes.
   */
  readonly outlines = new Map<number, string>();

  readonly #numbers: DrawnNumbers;

  constructor(extract: OsmExtract) {
    this.#numbers = new DrawnNumbers((extract.bounds[1] + extract.bounds[3]) / 2);
    this.extract = extract;
    const { count, lat, lon } = extract.nodes;
    this.x = new Int32Array(count);
    this.y = new Int32Array(count);
    for (let i = 0; i < count; i++) {
      this.x[i] = mercatorX(lon[i]! / 1e7);
      this.y[i] = mercatorY(lat[i]! / 1e7);
    }
  }

  /** Nodes of a way, without those that the extract lacks. */
  nodesOf(w: number): Ring {
    const { first, refs } = this.extract.ways;
    const nodes: number[] = [];
    for (let r = first[w]!; r < first[w + 1]!; r++) if (refs[r] !== MISSING) nodes.push(refs[r]!);
    return nodes;
  }

  /** The way's nodes when it is a ring with all its nodes in the extract. */
  ringOf(w: number): Ring | undefined {
    const { first, refs } = this.extract.ways;
    const start = first[w]!,
      end = first[w + 1]!;
    if (end - start < 4 || refs[start] !== refs[end - 1]) return undefined;
    const ring = refs.subarray(start, end);
    return ring.includes(MISSING) ? undefined : Array.from(ring);
  }

  addPoint(node: number, drawn: DrawnAs): void {
    this.addPointAt(this.x[node]!, this.y[node]!, drawn);
  }

  addPointAt(x: number, y: number, drawn: DrawnAs): void {
    if (drawn.layer === 'housenumber' && this.#numbers.has(String(drawn.attributes[0]![1]), x, y)) return;
    this.file.vertex(x, y);
    this.file.endPart();
    this.file.endFeature(POINT, drawn);
  }

  /** A line, in pieces where nodes are missing. */
  addWay(w: number, drawn: DrawnAs): void {
    const { first, refs } = this.extract.ways;
    let length = 0;
    let pieces = 0;
    for (let r = first[w]!; r <= first[w + 1]!; r++) {
      const node = r === first[w + 1]! ? MISSING : refs[r]!;
      if (node !== MISSING) {
        this.file.vertex(this.x[node]!, this.y[node]!);
        length++;
      } else if (length >= 2) {
        this.file.endPart();
        pieces++;
        length = 0;
      } else if (length === 1) {
        this.file.dropVertex();
        length = 0;
      }
    }
    if (pieces > 0) this.file.endFeature(LINE, drawn);
  }

  /**
   * A polygon with holes, oriented for tiles. Drawn from the zoom at which it is visible; returns the square
   * root of its area, in world units.
   */
  addPolygon(outer: Ring, holes: readonly Ring[], drawn: DrawnAs): number {
    const area2 = signedArea2(this.x, this.y, outer);
    const side = Math.sqrt(Math.abs(area2) / 2);
    if (side === 0) return 0;
    this.#addRing(outer, area2 < 0);
    for (const hole of holes) this.#addRing(hole, signedArea2(this.x, this.y, hole) > 0);
    const least = MIN_PIXELS[drawn.layer as keyof typeof MIN_PIXELS];
    this.file.endFeature(POLYGON, {
      ...drawn,
      minZoom: Math.min(MAX_ZOOM, Math.max(drawn.minZoom, zoomFor(side, least))),
    });
    return side;
  }

  tagsOf(w: number): Tags {
    return this.extract.ways.tags(w);
  }

  #addRing(ring: Ring, turned: boolean): void {
    for (let i = 0; i < ring.length; i++) {
      const node = ring[turned ? ring.length - 1 - i : i]!;
      this.file.vertex(this.x[node]!, this.y[node]!);
    }
    this.file.endPart();
  }
}
