import { mayKeepPlaces, mayReadCodes, seesOrganization, type Actor } from '../../../shared/access.ts';
import type { OwnPlace } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { FleetDirectory } from '../fleet/index.ts';
import type { Records, Store } from '../../store/types.ts';
import { PlaceGrid } from './place-grid.ts';
import { PlaceIndex, type IndexedHit } from './place-index.ts';
import { ownPlaceRules, type OwnPlaceOrder } from './place-order.ts';

export interface OwnPlacesOptions {
  store: Store;
  hasOrganization(id: number): boolean;
}

export interface FoundPlace extends Omit<IndexedHit, 'id'> {
  readonly place: OwnPlace;
}

/** Outcomes of a batch, in the order of its places. */
export interface PlaceBatch {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly ids: readonly number[];
}

/** The places that organizations name themselves: made by hand or imported, found by the search (README). */
export class OwnPlaces {
  readonly #records: Records<OwnPlace>;
  readonly #directory: FleetDirectory<OwnPlace, OwnPlaceOrder>;
  readonly #index = new PlaceIndex();
  readonly #grid = new PlaceGrid();
  readonly #store: Store;

  constructor({ store, hasOrganization }: OwnPlacesOptions) {
    this.#store = store;
    this.#records = store.kind<OwnPlace>('fleet', 'ownPlace');
    this.#directory = new FleetDirectory(this.#records, ownPlaceRules(hasOrganization));
    for (const place of this.#directory.current()) this.#add(place);
    this.#directory.watch((now, before) => {
      const id = (now ?? before)!.id;
      this.#index.remove(id);
      this.#grid.remove(id);
      if (now && !now.isDeleted) this.#add(now);
    });
  }

  /** The places that the actor sees, by id. */
  list(actor: Actor): OwnPlace[] {
    return this.#directory.list(actor);
  }

  get(actor: Actor, id: number): OwnPlace {
    return this.#directory.get(actor, id);
  }

  async create(actor: Actor, order: OwnPlaceOrder): Promise<OwnPlace> {
    this.#requireKeeps(actor, order);
    return this.#directory.create(actor, order);
  }

  async change(actor: Actor, id: number, order: OwnPlaceOrder): Promise<OwnPlace> {
    this.#requireKeeps(actor, order);
    return this.#directory.change(actor, id, order);
  }

  async delete(actor: Actor, id: number): Promise<void> {
    this.#requireKeeps(actor);
    return this.#directory.delete(actor, id);
  }

  /**
   * Writes all places or none. A place with an external id replaces the one that its layer has under that id,
   * so that a newer file of the same list updates it.
   */
  async write(actor: Actor, orders: readonly OwnPlaceOrder[], remove: readonly number[] = []): Promise<PlaceBatch> {
    for (const order of orders) this.#requireKeeps(actor, order);
    this.#requireKeeps(actor);
    const known = this.#byExternalId(actor);
    let created = 0;
    const ids: number[] = [];
    const given = new Set<string>();
    await this.#store.transaction(async () => {
      for (const [index, order] of orders.entries()) {
        const key = externalKey(actor, order);
        if (key !== undefined && given.has(key))
          throw new Refusal('places.twice', { field: `places[${index}].externalId`, id: order.externalId! });
        if (key !== undefined) given.add(key);
        const before = key === undefined ? undefined : known.get(key);
        const written = await naming(index, () =>
          before === undefined ? this.#directory.create(actor, order) : this.#directory.change(actor, before, order),
        );
        if (before === undefined) created++;
        ids.push(written.id);
      }
      for (const id of remove) await this.#directory.delete(actor, id);
    });
    return { created, changed: ids.length - created, removed: remove.length, ids };
  }

  /** Best first. */
  find(
    actor: Actor,
    query: string,
    limit: number,
    near?: { readonly lat: number; readonly lon: number },
  ): FoundPlace[] {
    return this.#index
      .find(query, (place) => this.#sees(actor, place), near)
      .slice(0, limit)
      .map(({ id, score, name }) => ({ place: this.#directory.mirror.get(id)!, score, name }));
  }

  /** The places at a point, the most particular first. */
  at(actor: Actor, point: { readonly lat: number; readonly lon: number }): OwnPlace[] {
    return this.#grid
      .at(point)
      .map((id) => this.#directory.mirror.get(id)!)
      .filter((place) => this.#sees(actor, place));
  }

  /** Told of each place that changed. Returns the unsubscription. */
  watch(listener: () => void): () => void {
    return this.#directory.watch(listener);
  }

  close(): void {
    this.#directory.close();
  }

  #add(place: OwnPlace): void {
    this.#index.add(place);
    this.#grid.add(place);
  }

  #sees(actor: Actor, { organizationId }: OwnPlace): boolean {
    return organizationId === 0 || seesOrganization(actor, organizationId);
  }

  #requireKeeps(actor: Actor, order?: OwnPlaceOrder): void {
    if (!mayKeepPlaces(actor)) throw new Refusal('places.mayNotKeep');
    // A caller who may not read a code cannot replace it.
    if (order?.accessCode !== undefined && order.accessCode !== '' && !mayReadCodes(actor))
      throw new Refusal('places.mayNotCode', { field: 'accessCode' });
  }

  #byExternalId(actor: Actor): Map<string, number> {
    return new Map(
      this.list(actor).flatMap((place) => {
        const key = externalKey(actor, place);
        return key === undefined ? [] : [[key, place.id]];
      }),
    );
  }
}

function externalKey(
  actor: Actor,
  { externalId = '', layer = '', organizationId = actor.user.organizationId }: OwnPlaceOrder,
): string | undefined {
  return externalId === '' ? undefined : JSON.stringify([organizationId, layer, externalId]);
}

/** Refusals of one place of several say which. */
async function naming<R>(index: number, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.params['field'] === undefined) throw error;
    const field = `places[${index}].${error.params['field'] as string}`;
    throw Refusal.of({ code: error.code, params: { ...error.params, field } });
  }
}
