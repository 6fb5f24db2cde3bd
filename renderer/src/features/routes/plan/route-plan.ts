import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { ApiError } from '../../../lib/api/client.ts';
import { effectOf } from '../../../../../shared/roads/closure-effect.ts';
import { airDistance } from '../../../../../shared/geo/geometry.ts';
import { i18n } from '../../../lib/i18n/index.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';
import { latestOnly } from '../../../lib/api/latest-only.ts';
import {
  fetchDrive,
  viarouteAddress,
  type PlannedDrive,
  type DriveAnswer,
  type DriveQuestion,
} from '../options/drive.ts';
import { closuresAt, closuresNear, closuresOfWay } from '../closures/closed-places.ts';
import { closes } from '../closures/closures.ts';
import { useClosures } from '../closures/closures-store.ts';
import { findBrokenLegs, type BrokenLeg } from './no-way.ts';
import {
  coordinates,
  freshStops,
  insertStop,
  lineToFill,
  moveStop,
  putPlace,
  removeStop,
  type Stop,
  type StopPlace,
} from './stops.ts';

/** A vehicle that is asked about takes the question along when it has gone so far, metres. */
export const FOLLOW_M = 40;

/** Closed roads as near to a stop as this are named where there is no way, metres. */
const NEAR_M = 1_000;

const areOthers = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
  some.size !== others.size || [...some].some((one) => !others.has(one));

/** The drive that is being planned. It stays while other pages are looked at. */
export const useRoutePlan = defineStore('route-plan', () => {
  const { client } = useSession();
  const live = useLive();
  const vehicles = useVehicles();
  const closures = useClosures();
  const stops = shallowRef<readonly Stop[]>(freshStops());
  const profile = ref('');
  /** Which of the ways. */
  const chosen = ref(0);
  const answer = shallowRef<DriveAnswer>();
  const problem = useLocalizedText();
  const working = ref(false);
  /** The line that the next click on the map fills. */
  const waiting = ref<number>();
  /** The way as it was before closures were changed last. */
  const before = shallowRef<PlannedDrive>();

  const places = computed(() => stops.value.flatMap(({ place }) => (place ? [place] : [])));
  const drives = computed(() => answer.value?.drives ?? []);
  const drive = computed(() => drives.value[chosen.value] ?? drives.value[0]);
  /** All lines are filled, but no way leads through them. */
  const noWay = computed(() => answer.value !== undefined && answer.value.drives.length === 0);
  /** For a query without a route: the legs without one; undefined while unknown. */
  const broken = shallowRef<readonly BrokenLeg[]>();

  /** The state of the closures under which the previous route was found. */
  let obeyedBefore: ReadonlySet<string> = new Set();
  const ask = latestOnly<DriveQuestion, DriveAnswer>(
    (question) => ((working.value = true), fetchDrive(client, question)),
    (found, question) => {
      working.value = false;
      problem.value = '';
      compare(question, found);
      answer.value = found;
      broken.value = undefined;
      if (found.drives.length === 0 && found.offMap === undefined) void findBroken(found);
      if (chosen.value >= found.drives.length) chosen.value = 0;
    },
    (error) => {
      working.value = false;
      answer.value = undefined;
      problem.value = () => questionProblem(error);
    },
  );

  function compare(question: DriveQuestion, found: DriveAnswer): void {
    const old = answer.value;
    // whatever the current names of the places are
    const same = old !== undefined && viarouteAddress(old.question) === viarouteAddress(question);
    const [now, then] = [found.drives[0], old?.drives[0]];
    const [obeyed, obeyedThen] = [question.closureVersion, old?.question.closureVersion ?? closures.obeyedFirst];
    if (!same) before.value = undefined;
    else if (
      then &&
      obeyed &&
      obeyedThen &&
      areOthers(obeyed, obeyedThen) &&
      (now?.time !== then.time || now.distance !== then.distance)
    )
      [before.value, obeyedBefore] = [then, obeyedThen];
  }

  async function findBroken(found: DriveAnswer): Promise<void> {
    try {
      const legs = await findBrokenLegs(client, found.question);
      if (answer.value === found) broken.value = legs;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // then only the missing route is reported
    }
  }
  /**
   * Closures that may block the route, as far as known: those added since the last route, else those near the
   * stops that cannot be joined.
   */
  const barring = computed(() => {
    if (!noWay.value) return { since: false, closures: [] };
    if (before.value)
      return {
        since: true,
        closures: closures.inForce.filter((closure) => closes(closure) && !obeyedBefore.has(effectOf(closure))),
      };
    const { places: asked } = answer.value!.question;
    const ends = broken.value?.length ? broken.value.flatMap(({ from }) => [asked[from]!, asked[from + 1]!]) : asked;
    return { since: false, closures: closuresNear(closures.inForce, ends, NEAR_M) };
  });
  /** By index in the request: ids of the closures in which a stop lies; without a route, as requested. */
  const closedAt = computed(() => {
    const { onRoads = [], question } = answer.value ?? {};
    if (drive.value) return closuresOfWay(drive.value.closures, closures.inForce, onRoads).at;
    return (question?.places ?? []).map((place) => closuresAt(closures.inForce, place).map(({ id }) => id));
  });

  function askNow(): void {
    if (places.value.length < 2) {
      ask(undefined);
      [answer.value, before.value, broken.value, problem.value, working.value] = [
        undefined,
        undefined,
        undefined,
        '',
        false,
      ];
    } else ask({ places: places.value, profile: profile.value, closureVersion: closures.obeyed });
  }
  watch([places, profile, () => live.territoryVersion], askNow);
  watch(
    () => closures.turn,
    () => places.value.length >= 2 && askNow(),
  );
  watch(() => vehicles.tick, followVehicles);

  function followVehicles(): void {
    for (const { id, place } of stops.value) {
      const now = place?.vehicleId === undefined ? undefined : vehiclePlace(place.vehicleId);
      if (place && now && airDistance(place, now) > FOLLOW_M) stops.value = putPlace(stops.value, id, now);
    }
  }

  /** Where a vehicle was last seen; undefined: it never was. */
  function vehiclePlace(vehicleId: number): StopPlace | undefined {
    const vehicle = vehicles.byId(vehicleId);
    const fix = vehicle && live.positions.legs.get(vehicle.glonassId)?.fix;
    return fix && { lat: fix.lat, lon: fix.lon, label: vehicle.name, vehicleId, seenAt: fix.data };
  }

  function put(id: number, place: StopPlace | undefined): void {
    stops.value = putPlace(stops.value, id, place);
    if (waiting.value === id) waiting.value = undefined;
  }

  /**
   * A point of the map becomes a stop, called after its street once that is known. False: no line waits for
   * one.
   */
  function putPoint(lat: number, lon: number, id = lineToFill(stops.value, waiting.value)): boolean {
    if (id === undefined) return false;
    put(id, { lat, lon, label: coordinates(lat, lon) });
    void name(id, lat, lon);
    return true;
  }

  /** The address or street at a point, or undefined or the station cannot be reached. */
  async function nameAt(lat: number, lon: number): Promise<string | undefined> {
    try {
      const query = { lat, lon, lang: i18n.global.locale.value };
      return (await client.request('get', '/geocoding/reverse', { params: { query } })).label;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return undefined;
    }
  }

  async function name(id: number, lat: number, lon: number): Promise<void> {
    const label = await nameAt(lat, lon);
    const stop = stops.value.find((one) => one.id === id);
    if (!label || stop?.place?.lat !== lat || stop.place.lon !== lon) return; // moved meanwhile
    stops.value = putPlace(stops.value, id, { ...stop.place, label });
  }

  /** A new line at `index`; gives its id. */
  function insert(index: number, place?: StopPlace): number | undefined {
    const known = new Set(stops.value.map(({ id }) => id));
    stops.value = insertStop(stops.value, index, place);
    return stops.value.find(({ id }) => !known.has(id))?.id;
  }

  function reverse(): void {
    stops.value = stops.value.toReversed();
  }

  function replace(with_: readonly StopPlace[]): void {
    stops.value = freshStops(with_);
    chosen.value = 0;
    for (const { id, place } of stops.value)
      if (place && place.label === coordinates(place.lat, place.lon)) void name(id, place.lat, place.lon);
  }

  return {
    stops,
    profile,
    chosen,
    answer,
    problem,
    working,
    waiting,
    before,
    places,
    drives,
    drive,
    noWay,
    broken,
    barring,
    closedAt,
    put,
    putPoint,
    name,
    nameAt,
    insert,
    reverse,
    replace,
    vehiclePlace,
    remove: (id: number) => (stops.value = removeStop(stops.value, id)),
    move: (from: number, to: number) => (stops.value = moveStop(stops.value, from, to)),
    clear: () => (stops.value = freshStops()),
  };
});
