import type { Chance } from '../../../server/demo/chance.ts';
import type { NameKind } from '../roads/road.ts';
import type { Spot } from '../plan/plane.ts';
import {
  ADJECTIVES,
  DISTRICTS,
  ENDINGS,
  LAKE,
  RIVER,
  STREET_NOUNS,
  SURNAME_ENDS,
  SURNAME_MIDDLES,
  SURNAME_STARTS,
  TOWN_ENDS,
  TOWN_STARTS,
  VILLAGE_NOUNS,
  type Gender,
} from './words.ts';

/** A name in both languages of the town. */
export interface Name {
  readonly en: string;
  readonly ru: string;
}

/** What names the things of a town; those of a town in one language are the same in both. */
export interface TownNames {
  readonly river: Name;
  readonly lake: Name;
  readonly districts: { readonly centre: Name; readonly around: readonly Name[] };
  town(): Name;
  village(): Name;
  park(): Name;
  /** For a street that begins at the spot. */
  street(kind: Exclude<NameKind, 'none'>, at: Spot): Name;
}

/** Tags for a name: the sign on the spot is in one alphabet, the other one is known too. */
export function nameTags(name: Name, cyrillic: boolean): Record<string, string> {
  if (name.en === name.ru) return { name: name.en };
  return { 'name': cyrillic ? name.ru : name.en, 'name:ru': name.ru, 'name:en': name.en };
}

/** Gives out street and village names, none of them twice. */
export class Namer implements TownNames {
  readonly river = RIVER;
  readonly lake = LAKE;
  readonly districts = DISTRICTS;
  readonly #chance: Chance;
  readonly #given = new Set<string>();
  constructor(chance: Chance) {
    this.#chance = chance;
  }

  town(): Name {
    const [startEn, startRu] = this.#chance.pick(TOWN_STARTS);
    const [endEn, endRu] = this.#chance.pick(TOWN_ENDS);
    return { en: startEn + endEn, ru: startRu + endRu };
  }

  village(): Name {
    return this.#unique(() => {
      const [adjective, stem, ending] = this.#chance.pick(ADJECTIVES);
      const [noun, ru, gender] = this.#chance.pick(VILLAGE_NOUNS);
      return { en: `${adjective} ${noun}`, ru: `${stem}${ENDINGS[ending][gender]} ${ru}` };
    });
  }

  park(): Name {
    return this.#unique(() => described(this.#chance, { en: 'Park', ru: 'парк', gender: 'm' }));
  }

  street(kind: Exclude<NameKind, 'none'>): Name {
    const noun = STREET_NOUNS[kind];
    return this.#unique((attempt) => {
      // Small towns name their streets after what is there; large ones run out of that and honour people.
      if (attempt < 12 && (attempt > 0 || !this.#chance.happens(0.22))) return described(this.#chance, noun);
      const [startEn, startRu] = this.#chance.pick(SURNAME_STARTS);
      const [middleEn, middleRu] = this.#chance.pick(SURNAME_MIDDLES);
      const [endEn, endRu] = this.#chance.pick(SURNAME_ENDS);
      const number = attempt > 40 ? attempt - 39 : 0;
      return {
        en: `${startEn}${middleEn}${endEn} ${noun.en}${number ? ` ${number}` : ''}`,
        ru: `${number ? `${number}${noun.gender === 'm' ? '-й' : noun.gender === 'f' ? '-я' : '-е'} ` : ''}${noun.ru} ${startRu}${middleRu}${endRu}`,
      };
    });
  }

  #unique(draw: (attempt: number) => Name): Name {
    for (let attempt = 0; ; attempt++) {
      const name = draw(attempt);
      if (this.#given.has(name.en) || this.#given.has(name.ru)) continue;
      this.#given.add(name.en).add(name.ru);
      return name;
    }
  }
}

function described(chance: Chance, noun: { en: string; ru: string; gender: Gender }): Name {
  const [adjective, stem, ending] = chance.pick(ADJECTIVES);
  return { en: `${adjective} ${noun.en}`, ru: `${stem}${ENDINGS[ending][noun.gender]} ${noun.ru}` };
}
