import type { Chance } from '../../../server/demo/chance.ts';
import type { House, Numbering } from '../places/houses.ts';
import type { Name, TownNames } from '../places/names.ts';
import { distance, type Spot } from '../plan/plane.ts';
import type { NameKind } from '../roads/road.ts';
import type { Village } from '../roads/lay-roads.ts';
import { postcodeOf, written, type TownLanguage } from './town-language.ts';

/** Names, numbers and postcodes of a town in one language. In each village streets have names of their own. */
export class LocalNames implements TownNames {
  readonly river: Name;
  readonly lake: Name;
  readonly districts: TownNames['districts'];
  readonly #language: TownLanguage;
  readonly #villages: readonly Village[];
  readonly #chance: Chance;
  readonly #numbers: Chance;
  readonly #codes: Chance;
  readonly #given = new Set<string>();
  readonly #postcodes = new Map<string, string>();

  constructor(language: TownLanguage, villages: readonly Village[], chance: Chance) {
    const [centre, ...around] = language.districts.map(same);
    this.#language = language;
    this.#villages = villages;
    this.#chance = chance.fork('names');
    this.#numbers = chance.fork('numbers');
    this.#codes = chance.fork('postcodes');
    this.river = same(language.river);
    this.lake = same(language.lake);
    this.districts = { centre: centre!, around };
  }

  town(): Name {
    return this.#unique(this.#language.town, '');
  }

  village(): Name {
    return this.#unique(this.#language.village, '');
  }

  park(): Name {
    return this.#unique(this.#language.park, '');
  }

  street(kind: Exclude<NameKind, 'none'>, at: Spot): Name {
    return this.#unique(this.#language.streets[kind], `in ${this.#villageAt(at)}`);
  }

  readonly numbering: Numbering = (lot, lettered) => {
    const { numbers } = this.#language;
    const value = numbers.ofLot?.(lot) ?? lot;
    const rare = !lettered && this.#numbers.happens(RARE);
    if (!lettered && !rare) return { number: String(value), takes: 2 };
    const pattern = this.#numbers.pick(lettered ? numbers.lettered : numbers.rare);
    const next = numbers.ofLot?.(lot + 2) ?? lot + 2;
    const parts = { n: String(value), next: String(next), corner: String(1 + this.#numbers.whole(40)) };
    return { number: written(pattern, parts, this.#numbers), takes: pattern.includes('{next}') ? 4 : 2 };
  };

  postcode(house: House, middle: Spot): string {
    const village = this.#villageAt(house.middle);
    const side = Math.floor(
      (3 * (Math.PI + Math.atan2(house.middle.y - middle.y, house.middle.x - middle.x))) / Math.PI,
    );
    const area = this.#language.hasStreetCodes
      ? `${house.street.name.en} ${village}`
      : `${village} ${village < 0 ? side : ''}`;
    const code = this.#postcodes.get(area) ?? postcodeOf(this.#language.postcode, this.#codes);
    this.#postcodes.set(area, code);
    return code;
  }

  /** The tags of an object with a name in this language, where objects of its kind have names. */
  named({ amenity = '', ...tags }: Record<string, string>): Record<string, string> {
    const { 'name': _, 'name:ru': __, 'name:en': ___, ...unnamed } = tags;
    const patterns = this.#language.objects[amenity];
    return {
      ...(amenity !== '' && { amenity }),
      ...unnamed,
      ...(patterns && { name: this.#written(patterns) }),
    };
  }

  /** -1 in the town itself. */
  #villageAt(spot: Spot): number {
    return this.#villages.findIndex(({ middle, radius }) => distance(middle, spot) < radius * 1.4);
  }

  #written(patterns: readonly string[]): string {
    return written(this.#chance.pick(patterns), this.#language.parts, this.#chance);
  }

  #unique(patterns: readonly string[], where: string): Name {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const name = this.#written(patterns);
      const key = `${name.toLowerCase()} ${where}`;
      if (this.#given.has(key)) continue;
      this.#given.add(key);
      return same(name);
    }
    throw new Error(`The patterns ${patterns.join(' | ')} make too few names.`);
  }
}

/** Share of houses with a number in a rare form. */
const RARE = 1 / 12;
const ATTEMPTS = 1000;

const same = (name: string): Name => ({ en: name, ru: name });
