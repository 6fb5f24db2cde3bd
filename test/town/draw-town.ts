import type { OsmExtract } from '../../server/geo/territory/extract/extract.ts';
import { drawAreas } from './places/areas.ts';
import { chanceFrom } from '../../server/demo/chance.ts';
import { houseTags } from './places/house-tags.ts';
import { lotsAlong, nodesOf } from './places/houses.ts';
import { layRoads } from './roads/lay-roads.ts';
import { MapWriter } from './map-writer.ts';
import { Namer, nameTags } from './places/names.ts';
import { joinRoads, mainNet, trimmed } from './roads/network.ts';
import { distance } from './plan/plane.ts';
import { withOneways } from './roads/oneways.ts';
import { planTown } from './plan/plan.ts';
import { pointsOfInterest } from './places/points-of-interest.ts';
import { withRoundabouts } from './roads/roundabouts.ts';
import { signsOf } from './roads/signs.ts';
import { nameStreets, southOf } from './places/streets.ts';
import { drawTerrain } from './plan/terrain.ts';
import { turnRulesOf, withAllTurnsReachable } from './roads/turn-rules.ts';
import { drawDistricts } from './places/districts.ts';
import { LocalNames } from './languages/local-names.ts';
import type { TownLanguage } from './languages/town-language.ts';

/** Time of the drawn data, epoch ms: fixed, so that the same seed gives the same bytes. */
const DRAWN_AT = Date.UTC(2026, 0, 1);

interface AskedTown {
  seed: number;
  nodes: number;
  language?: TownLanguage | undefined;
}

/**
 * Draws an invented bilingual town as an OpenStreetMap extract: streets from a motorway down to closes, a
 * river with few bridges, a lake with an island, a railway, districts, named streets with numbered houses,
 * points of interest and villages around it. The same seed and size give the same extract. `nodes` is
 * between 300 (a village) and a million; the result differs by about a tenth at most. With a `language` it is
 * a town of that language.
 */
export function drawTown({ seed, nodes, language }: AskedTown): OsmExtract {
  if (!Number.isInteger(nodes) || nodes < 300) throw new RangeError(`A town has at least 300 nodes, not ${nodes}.`);
  const chance = chanceFrom(seed);
  const plan = planTown(nodes, chance.fork('plan'));
  const terrain = drawTerrain(plan, chance.fork('terrain'));
  const { stretches, villages: sites } = layRoads(plan, terrain, chance.fork('roads'));
  let network = joinRoads(stretches);
  for (let i = 0; i < 3; i++) network = trimmed(network, 28);
  network = withRoundabouts(mainNet(network), 0.5, chance.fork('roundabouts'));
  network = withOneways(network, chance.fork('oneways'));
  const turns = withAllTurnsReachable(network, turnRulesOf(network, chance.fork('turns')));
  network = turns.network;

  const local = language && new LocalNames(language, sites, chance.fork('language'));
  const namer = local ?? new Namer(chance.fork('names'));
  const town = namer.town();
  const villages = sites.map((site) => ({ ...site, name: namer.village() }));
  const isCyrillic = local ? () => false : southOf(terrain.river.line, plan.extent);
  const middle = plan.warp({ x: 0, y: 0 });
  const streets = nameStreets(network, middle, isCyrillic, namer);
  const areas = drawAreas(plan, terrain, villages, network, isCyrillic, namer, chance.fork('areas'));
  const lots = lotsAlong(streets, network, terrain, chance.fork('houses'), local?.numbering);

  const map = new MapWriter();
  map.roads(network, streets, signsOf(network, chance.fork('signs')), turns.rules);
  map.line(terrain.river.line, { waterway: 'river', ...nameTags(namer.river, false) });
  for (const area of areas) map.area(area);
  drawDistricts(map, plan, town, namer.districts, isCyrillic);
  map.spot(middle, {
    place: plan.rings.length > 1 ? (nodes >= 200_000 ? 'city' : 'town') : 'village',
    population: String(Math.round(nodes * 0.6)),
    ...nameTags(town, false),
  });
  for (const village of villages)
    map.spot(village.middle, {
      place: 'village',
      population: '300',
      ...nameTags(village.name, isCyrillic(village.middle)),
    });
  if (plan.rings.length > 1 && !local) {
    const station = terrain.railway.reduce((best, p) => (distance(p, middle) < distance(best, middle) ? p : best));
    map.spot(station, {
      railway: 'station',
      public_transport: 'station',
      ...nameTags({ en: `${town.en} Central`, ru: `${town.ru}-Центральный` }, false),
    });
  }

  // Houses take what is left of the asked nodes; where that is not enough for all, lots stay empty here and
  // there.
  const wanted = lots.reduce((sum, lot) => sum + nodesOf(lot), 0);
  const share = (nodes - map.nodeCount) / wanted;
  const building = chance.fork('building');
  const houses = lots.filter(() => building.happens(share));
  const interest = pointsOfInterest(houses, nodes, middle, chance.fork('interest'));
  const looks = chance.fork('looks');
  for (const house of houses) {
    const city = villages.find((village) => distance(village.middle, house.middle) < village.radius * 1.4);
    const name = city?.name ?? town;
    const tags = houseTags(house, house.street.cyrillic ? name.ru : name.en, local?.postcode(house, middle), looks);
    const objects = interest.get(house);
    map.house(house, tags, local && objects ? local.named(objects) : objects);
  }
  return map.finished(DRAWN_AT);
}
