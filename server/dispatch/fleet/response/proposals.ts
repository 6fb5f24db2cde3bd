import type { Actor } from '../../../../shared/access.ts';
import { notesAt } from '../../../../shared/fleet/premise-notes.ts';
import { versionAt } from '../../../../shared/fleet/versions.ts';
import { depthOf } from '../../../../shared/geo/shapes.ts';
import type {
  Geozone,
  PremiseNote,
  ResponsePlan,
  Vehicle,
  VehicleGroup,
  VehicleKind,
} from '../../../../shared/records/index.ts';
import type { FleetDirectory } from '../directory.ts';
import type { LastStates } from '../last-states.ts';
import { rank, type Ranked, type Travel, type VehicleCandidate } from '../rank.ts';
import type { VehicleView } from '../roster.ts';
import { emptied, notAskedFor, propose, type CoverDistrict, type Emptied, type Proposal } from './proposal.ts';
import { planFor, withNeeds, type CallFacts } from './response-plans.ts';

type ProposalPlace = { readonly lat: number; readonly lon: number };

export interface RecommendOptions {
  /**
   * The road times from the vehicles to the place, in the same order; `no-territory` when no roads are
   * loaded.
   */
  travelTimes(
    vehicles: readonly { lat: number; lon: number; profile: string }[],
    place: { lat: number; lon: number },
  ): Promise<readonly Travel[] | 'no-territory'>;
  /** Open tasks by the vehicle that serves them. */
  busy: ReadonlyMap<number, { id: number; title: string }>;
  /** Vehicles whose crews gave the task back: they are passed over. */
  gaveBack?: ReadonlySet<number>;
  /** The facts that select a plan. Default: nothing is known of the call. */
  call?: CallFacts | undefined;
}

export type RankedVehicle = Ranked & { readonly view: VehicleView };

/** A proposal with its ranking and the cover that it leaves. */
export interface ProposedResponse extends Proposal {
  readonly cover: readonly Emptied[];
  viewOf(entry: Ranked): VehicleView;
}

/** A call of which only the place is known. */
const UNKNOWN_CALL: CallFacts = { typeId: 0, categoryId: 0, priority: 0, organizationIds: [] };

/** The parts of the fleet that proposals read. */
export interface ProposalSources {
  list(actor: Actor): VehicleView[];
  readonly states: Pick<LastStates, 'get'>;
  readonly plans: Pick<FleetDirectory<ResponsePlan, never>, 'list' | 'mirror'>;
  readonly premiseNotes: Pick<FleetDirectory<PremiseNote, never>, 'list'>;
  readonly kinds: Pick<FleetDirectory<VehicleKind, never>, 'mirror'>;
  readonly geozones: Pick<FleetDirectory<Geozone, never>, 'list' | 'mirror'>;
  readonly groups: Pick<FleetDirectory<VehicleGroup, never>, 'list'>;
}

/** Which vehicles to send to a place, and the facts known about it. */
export class Proposals {
  readonly #fleet: ProposalSources;
  readonly #now: () => number;
  readonly #isOffShift: () => (vehicle: Vehicle) => boolean;

  /** @param moment.isOffShift whether each of these vehicles is out of the shift of its organization, as of now */
  constructor(fleet: ProposalSources, moment: { now(): number; isOffShift(): (vehicle: Vehicle) => boolean }) {
    this.#fleet = fleet;
    this.#now = () => moment.now();
    this.#isOffShift = () => moment.isOffShift();
  }

  /** Vehicles that the actor may send to a place, in recommended order, each with its reasons. */
  async recommend(actor: Actor, place: ProposalPlace, options: RecommendOptions): Promise<RankedVehicle[]> {
    const { ranked, viewOf } = await this.#ranked(actor, place, options);
    return ranked.map((entry) => ({ ...entry, view: viewOf(entry) }));
  }

  /**
   * The vehicles to send to a call, by its response plan.
   * @param sent the vehicles that are on the task already
   */
  async propose(
    actor: Actor,
    place: ProposalPlace,
    options: RecommendOptions,
    sent?: ReadonlySet<number>,
  ): Promise<ProposedResponse> {
    const { plan, ranked, viewOf } = await this.#ranked(actor, place, options);
    const proposal = propose(plan, ranked, sent);
    return { ...proposal, cover: emptied(proposal.units, ranked, this.#districts(actor, viewOf)), viewOf };
  }

  /** The response plan of a task, for any caller. */
  planOf(place: ProposalPlace | null, call: CallFacts): ResponsePlan | undefined {
    const plans = [...this.#fleet.plans.mirror.values()].filter(({ isDeleted }) => !isDeleted);
    return planFor(plans, call, place ? this.#insideOf(place) : () => false);
  }

  /** The premise notes of a place that the actor may read. */
  notesAt(actor: Actor, place: ProposalPlace): PremiseNote[] {
    return notesAt(this.#fleet.premiseNotes.list(actor), place, this.#insideOf(place), this.#now());
  }

  async #ranked(
    actor: Actor,
    place: ProposalPlace,
    { travelTimes, busy, gaveBack, call = UNKNOWN_CALL }: RecommendOptions,
  ) {
    const plan = withNeeds(planFor(this.#fleet.plans.list(actor), call, this.#insideOf(place)), call.needs);
    const views = this.#fleet.list(actor);
    const isOffShift = this.#isOffShift();
    const candidates = views.map((view): VehicleCandidate => ({
      vehicle: view.vehicle,
      state: this.#fleet.states.get(view.vehicle.id),
      busyWith: busy.get(view.vehicle.id),
      isOffShift: isOffShift(view.vehicle),
      gaveBack: gaveBack?.has(view.vehicle.id) === true,
    }));
    const located = views.filter((view) => view.state.time > 0);
    const travels = await travelTimes(
      located.map((view) => ({ lat: view.state.lat, lon: view.state.lon, profile: view.vehicle.profile })),
      place,
    );
    const byVehicle = new Map(
      travels === 'no-territory' ? [] : located.map((view, index) => [view.vehicle.id, travels[index]]),
    );
    const ranked = rank(
      place,
      candidates,
      travels === 'no-territory' ? travels : views.map((view) => byVehicle.get(view.vehicle.id)),
      this.#now(),
      notAskedFor(plan, (id) => this.#fleet.kinds.mirror.get(id), call.typeId),
    );
    const viewById = new Map(views.map((view) => [view.vehicle.id, view]));
    return { plan, ranked, viewOf: (entry: Ranked) => viewById.get(entry.candidate.vehicle.id)! };
  }

  /** Whether a place is in a geozone as it is now. */
  #insideOf({ lat, lon }: ProposalPlace): (geozoneId: number) => boolean {
    return (id) => {
      const zone = this.#fleet.geozones.mirror.get(id);
      return zone?.isDeleted === false && depthOf(versionAt(zone, this.#now()).shape, [lon, lat]) <= 0;
    };
  }

  #districts(actor: Actor, viewOf: (entry: Ranked) => VehicleView): CoverDistrict[] {
    const zones = this.#fleet.geozones.list(actor).filter(({ district }) => district);
    if (zones.length === 0)
      return this.#fleet.groups.list(actor).map(({ id, name }) => ({
        id,
        name,
        holds: (entry) => viewOf(entry).vehicle.groupId === id,
      }));
    return zones.map((zone) => {
      const { name, shape } = versionAt(zone, this.#now());
      return {
        id: zone.id,
        name,
        holds: ({ candidate: { state } }) => state !== undefined && depthOf(shape, [state.lon, state.lat]) <= 0,
      };
    });
  }
}
