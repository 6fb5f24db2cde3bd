import { words } from '../../../../shared/text/fold.ts';
import type { Tags } from '../extract/extract.ts';

/** A kind of object, from one tag: the words that find it besides its name, and how likely it is meant. */
export interface ObjectSort {
  name: string;
  /**
   * Words in English, then Russian, then other languages of the map for places of incidents. They also name
   * objects without a name.
   */
  words: readonly string[];
  importance: number;
  /** Worth finding without a name: an operator asks for "hospital". */
  nameless: boolean;
  /** Frequent, near each other, and numbered instead of named: "Fire hydrant 12". */
  numbered: boolean;
}

/** The keys for the kind of a thing; the first with a known value decides. */
export const SORT_KEYS = [
  'amenity',
  'emergency',
  'healthcare',
  'railway',
  'aeroway',
  'public_transport',
  'tourism',
  'historic',
  'leisure',
  'shop',
  'office',
  'craft',
  'man_made',
  'natural',
  'landuse',
  'power',
  'bridge',
  'tunnel',
  'highway',
  'military',
  'club',
  'building',
] as const;
/** Keys of which only these values are objects: the others are ground, lines or furniture. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  highway: ['bus_stop', 'rest_area', 'services', 'motorway_junction', 'platform', 'emergency_access_point'],
  natural: ['peak', 'bay', 'beach', 'cape', 'spring', 'water', 'cave_entrance', 'island', 'valley', 'cliff', 'wood'],
  landuse: [
    'cemetery',
    'industrial',
    'commercial',
    'retail',
    'military',
    'railway',
    'forest',
    'quarry',
    'recreation_ground',
    'allotments',
    'residential',
    'farmyard',
    'port',
    'depot',
  ],
  railway: ['station', 'halt', 'tram_stop', 'subway_entrance', 'level_crossing', 'yard'],
};

/** Values about access, not about the kind. */
const ACCESS = new Set(['no', 'designated', 'official', 'permissive', 'private', 'customers']);

/** Only kinds that need more words than their tag value; others are named after their tag ("fast food"). */
const KNOWN: Readonly<
  Record<string, { words: readonly string[]; importance: number; nameless?: boolean; numbered?: boolean }>
> = {
  hospital: {
    words: [
      'hospital',
      'больница',
      'Krankenhaus',
      'Spital',
      'hôpital',
      'ospedale',
      'ziekenhuis',
      'sjukhus',
      'sykehus',
      'Notaufnahme',
      'urgences',
      'pronto soccorso',
      'приёмный покой',
      'isptar',
      'sptar',
    ],
    importance: 0.5,
    nameless: true,
  },
  clinic: {
    words: ['clinic', 'поликлиника', 'health centre', 'Klinik', 'clinique', 'clinica', 'clínica'],
    importance: 0.4,
    nameless: true,
  },
  doctors: { words: ['doctor', 'врач', 'Arzt', 'médecin', 'medico'], importance: 0.3 },
  ambulance_station: { words: ['ambulance station', 'скорая помощь'], importance: 0.48, nameless: true },
  fire_station: {
    words: [
      'fire station',
      'пожарная часть',
      'fire brigade',
      'fire department',
      'пожарная охрана',
      'пожарка',
      'Feuerwehr',
      'brandweer',
      'brandstation',
      'pompiers',
      'bomberos',
      'bombeiros',
      'vigili del fuoco',
    ],
    importance: 0.48,
    nameless: true,
  },
  police: {
    words: [
      'police',
      'police station',
      'полиция',
      'отделение полиции',
      'полицейский участок',
      'милиция',
      'Polizei',
      'polizia',
      'policía',
      'polícia',
      'politie',
      'polis',
      'pulizija',
    ],
    importance: 0.48,
    nameless: true,
  },
  pharmacy: {
    words: ['pharmacy', 'chemist', 'аптека', 'Apotheke', 'pharmacie', 'farmacia'],
    importance: 0.34,
    nameless: true,
  },
  fuel: {
    words: ['fuel', 'petrol station', 'gas station', 'АЗС', 'заправка', 'Tankstelle', 'gasolinera'],
    importance: 0.33,
    nameless: true,
  },
  charging_station: { words: ['charging station', 'зарядная станция'], importance: 0.24 },
  school: {
    words: ['school', 'школа', 'Schule', 'école', 'scuola', 'escuela', 'escola', 'skola'],
    importance: 0.44,
    nameless: true,
  },
  kindergarten: {
    words: ['kindergarten', 'детский сад', 'nursery', 'crèche', 'asilo'],
    importance: 0.36,
    nameless: true,
  },
  college: { words: ['college', 'колледж', 'kulleġġ'], importance: 0.42 },
  university: {
    words: [
      'university',
      'университет',
      'Universität',
      'université',
      'università',
      'universidad',
      'universidade',
      'universiteit',
    ],
    importance: 0.46,
  },
  library: { words: ['library', 'библиотека', 'Bibliothek', 'bibliothèque'], importance: 0.34 },
  townhall: {
    words: ['town hall', 'администрация', 'ратуша', 'Rathaus', 'mairie', 'municipio', 'ayuntamiento'],
    importance: 0.42,
    nameless: true,
  },
  courthouse: {
    words: ['court', 'суд', 'Gericht', 'tribunal', 'tribunale', 'qorti'],
    importance: 0.38,
    nameless: true,
  },
  post_office: {
    words: ['post office', 'почта', 'Post', 'Postamt', 'poste', 'correos', 'correios'],
    importance: 0.34,
    nameless: true,
  },
  bank: { words: ['bank', 'банк'], importance: 0.28 },
  marketplace: { words: ['market', 'рынок'], importance: 0.36, nameless: true },
  place_of_worship: {
    words: [
      'church',
      'chapel',
      'mosque',
      'церковь',
      'храм',
      'Kirche',
      'église',
      'chiesa',
      'iglesia',
      'igreja',
      'kerk',
      'kyrka',
      'knisja',
    ],
    importance: 0.36,
  },
  monastery: { words: ['monastery', 'монастырь'], importance: 0.36 },
  cemetery: {
    words: ['cemetery', 'кладбище', 'Friedhof', 'cimetière', 'cimitero', 'cementerio'],
    importance: 0.36,
    nameless: true,
  },
  grave_yard: { words: ['cemetery', 'кладбище', 'Friedhof', 'cimetière', 'cimitero', 'cementerio'], importance: 0.3 },
  parking: { words: ['parking', 'парковка', 'стоянка'], importance: 0.22, nameless: true },
  toilets: { words: ['toilets', 'туалет'], importance: 0.22, nameless: true },
  fountain: { words: ['fountain', 'фонтан'], importance: 0.22, nameless: true },
  drinking_water: { words: ['drinking water', 'питьевая вода'], importance: 0.2, nameless: true },
  bus_station: { words: ['bus station', 'автовокзал', 'автостанция'], importance: 0.44, nameless: true },
  bus_stop: { words: ['bus stop', 'остановка'], importance: 0.2 },
  tram_stop: { words: ['tram stop', 'остановка трамвая'], importance: 0.24 },
  ferry_terminal: { words: ['ferry terminal', 'паром', 'причал'], importance: 0.42, nameless: true },
  taxi: { words: ['taxi', 'такси'], importance: 0.24 },
  station: {
    words: [
      'station',
      'вокзал',
      'станция',
      'railway station',
      'train station',
      'Bahnhof',
      'gare',
      'stazione',
      'estación',
      'estação',
    ],
    importance: 0.46,
  },
  halt: { words: ['halt', 'платформа', 'станция'], importance: 0.36 },
  subway_entrance: { words: ['metro entrance', 'вход в метро'], importance: 0.26 },
  level_crossing: { words: ['level crossing', 'переезд'], importance: 0.26 },
  aerodrome: {
    words: ['airport', 'аэропорт', 'Flughafen', 'aéroport', 'aeropuerto'],
    importance: 0.52,
    nameless: true,
  },
  terminal: { words: ['terminal', 'терминал'], importance: 0.42 },
  helipad: { words: ['helipad', 'вертолётная площадка'], importance: 0.34, nameless: true },
  hotel: { words: ['hotel', 'гостиница', 'отель'], importance: 0.33 },
  hostel: { words: ['hostel', 'хостел'], importance: 0.28 },
  guest_house: { words: ['guest house', 'гостевой дом'], importance: 0.27 },
  museum: { words: ['museum', 'музей', 'musée', 'museo', 'mużew'], importance: 0.37 },
  attraction: { words: ['sight', 'достопримечательность'], importance: 0.36 },
  viewpoint: { words: ['viewpoint', 'смотровая площадка'], importance: 0.3 },
  restaurant: { words: ['restaurant', 'ресторан'], importance: 0.28 },
  cafe: { words: ['café', 'кафе'], importance: 0.27 },
  bar: { words: ['bar', 'бар'], importance: 0.26 },
  pub: { words: ['pub', 'паб'], importance: 0.27 },
  fast_food: { words: ['fast food', 'закусочная'], importance: 0.25 },
  cinema: { words: ['cinema', 'кино', 'кинотеатр'], importance: 0.35 },
  theatre: { words: ['theatre', 'theater', 'театр'], importance: 0.38 },
  casino: { words: ['casino', 'казино'], importance: 0.33 },
  nightclub: { words: ['night club', 'ночной клуб'], importance: 0.28 },
  embassy: {
    words: ['embassy', 'посольство', 'Botschaft', 'ambassade', 'ambasciata', 'embajada', 'embaixada', 'ambaxxata'],
    importance: 0.36,
  },
  consulate: {
    words: ['consulate', 'консульство', 'Konsulat', 'consulat', 'consolato', 'consulado'],
    importance: 0.33,
  },
  fire_hydrant: {
    words: ['fire hydrant', 'hydrant', 'гидрант', 'пожарный гидрант', 'Hydrant', 'idrante', "bouche d'incendie"],
    importance: 0.16,
    nameless: true,
    numbered: true,
  },
  defibrillator: {
    words: ['defibrillator', 'AED', 'дефибриллятор', 'АНД', 'défibrillateur', 'Defi'],
    importance: 0.26,
    nameless: true,
    numbered: true,
  },
  access_point: {
    words: ['emergency access point', 'Rettungspunkt', 'точка спасения'],
    importance: 0.3,
    nameless: true,
    numbered: true,
  },
  assembly_point: {
    words: ['assembly point', 'место сбора', 'Sammelplatz'],
    importance: 0.2,
    nameless: true,
    numbered: true,
  },
  phone: {
    words: ['emergency phone', 'SOS', 'экстренная связь', 'Notrufsäule'],
    importance: 0.2,
    nameless: true,
    numbered: true,
  },
  fire_water_tank: {
    words: ['fire water tank', 'пожарный резервуар', 'пожарный водоём', 'Löschwasserbehälter', 'Löschwasser'],
    importance: 0.2,
    nameless: true,
    numbered: true,
  },
  fire_water_pond: {
    words: ['fire water pond', 'пожарный пруд', 'пожарный водоём', 'Löschteich', 'Löschwasser'],
    importance: 0.2,
    nameless: true,
    numbered: true,
  },
  suction_point: {
    words: ['suction point', 'забор воды', 'Saugstelle', 'Löschwasser'],
    importance: 0.2,
    nameless: true,
    numbered: true,
  },
  information: { words: ['information', 'информация'], importance: 0.22 },
  tunnel: { words: ['tunnel', 'тоннель', 'туннель', 'galleria', 'túnel'], importance: 0.34 },
  prison: {
    words: ['prison', 'тюрьма', 'Gefängnis', 'prigione', 'cárcel', 'prisão', 'gevangenis', 'fängelse', 'ħabs'],
    importance: 0.4,
    nameless: true,
  },
  supermarket: { words: ['supermarket', 'супермаркет'], importance: 0.31 },
  mall: { words: ['mall', 'торговый центр', 'ТЦ'], importance: 0.4 },
  convenience: { words: ['shop', 'магазин'], importance: 0.25 },
  stadium: { words: ['stadium', 'стадион'], importance: 0.42 },
  sports_centre: { words: ['sports centre', 'спорткомплекс'], importance: 0.35 },
  park: { words: ['park', 'парк'], importance: 0.4 },
  garden: { words: ['garden', 'сад', 'сквер'], importance: 0.3 },
  playground: { words: ['playground', 'детская площадка'], importance: 0.24, nameless: true },
  pitch: { words: ['pitch', 'площадка'], importance: 0.22 },
  marina: { words: ['marina', 'яхтенная гавань'], importance: 0.36 },
  swimming_pool: { words: ['swimming pool', 'бассейн'], importance: 0.24 },
  lighthouse: { words: ['lighthouse', 'маяк'], importance: 0.36 },
  tower: { words: ['tower', 'башня'], importance: 0.32 },
  works: { words: ['works', 'plant', 'завод'], importance: 0.36 },
  bridge: { words: ['bridge', 'мост', 'Brücke', 'pont', 'ponte', 'puente'], importance: 0.36 },
  pier: { words: ['pier', 'пирс', 'причал'], importance: 0.28 },
  water_works: { words: ['water works', 'водозабор'], importance: 0.32 },
  wastewater_plant: { words: ['sewage works', 'очистные сооружения'], importance: 0.32 },
  substation: { words: ['substation', 'подстанция'], importance: 0.27 },
  plant: { words: ['power plant', 'электростанция'], importance: 0.38 },
  industrial: { words: ['industrial area', 'промзона'], importance: 0.34 },
  peak: { words: ['peak', 'гора'], importance: 0.34 },
  beach: { words: ['beach', 'пляж', 'plage', 'playa', 'praia', 'spiaggia'], importance: 0.36 },
  bay: { words: ['bay', 'бухта', 'залив'], importance: 0.32 },
  castle: {
    words: ['castle', 'замок', 'крепость', 'Schloss', 'Burg', 'château', 'castello', 'kastell'],
    importance: 0.38,
  },
  monument: { words: ['monument', 'памятник'], importance: 0.3 },
  memorial: { words: ['memorial', 'памятник'], importance: 0.22 },
  fort: { words: ['fort', 'форт'], importance: 0.34 },
  motorway_junction: { words: ['junction', 'exit', 'съезд', 'развязка'], importance: 0.38 },
  rest_area: { words: ['rest area', 'зона отдыха'], importance: 0.32, nameless: true },
  services: { words: ['services', 'придорожный сервис'], importance: 0.34, nameless: true },
};

/** The folded words of each kind; those used as a name first. */
const CALLED = new Map(Object.entries(KNOWN).map(([name, sort]) => [name, sort.words.map((text) => words(text))]));
/**
 * In how many kinds each word occurs: "station" does not distinguish a fire station from a petrol station,
 * "fire" does.
 */
const SORTS_OF_WORD = new Map<string, number>();
for (const [name, called] of CALLED)
  if (!isNumbered(name))
    for (const word of new Set(called.flat())) SORTS_OF_WORD.set(word, (SORTS_OF_WORD.get(word) ?? 0) + 1);
// "Fire" still means a fire station, though there are fire hydrants.
for (const [name, called] of CALLED)
  if (isNumbered(name)) for (const word of called.flat()) if (!SORTS_OF_WORD.has(word)) SORTS_OF_WORD.set(word, 1);

/** Does a folded word name a kind of thing? */
export function isSortWord(word: string): boolean {
  return SORTS_OF_WORD.has(word);
}

/** The folded English words of a kind, which every thing of it has. */
export function englishWordsOf(sort: string): readonly string[] {
  return CALLED.get(sort)?.[0] ?? words(sort.replaceAll('_', ' '));
}

/** All of them, in alphabetical order. */
export function placeSortWords(): string[] {
  return [...SORTS_OF_WORD.keys()].sort();
}

/** The folded words that identify this kind, of those in `asked`. */
export function distinctiveWords(sort: string, asked: (word: string) => boolean): Set<string> {
  const alone = (called: readonly string[]) =>
    called.filter((word) => called.length === 1 || (!isNumbered(sort) && SORTS_OF_WORD.get(word) === 1));
  return new Set(
    (CALLED.get(sort) ?? [sort.split('_')]).flatMap((called) => (called.every(asked) ? called : alone(called))),
  );
}

/** Are there many of this kind near each other, with numbers instead of names? */
export function isNumbered(sort: string): boolean {
  return Object.hasOwn(KNOWN, sort) && KNOWN[sort]!.numbered === true;
}

/** Is a folded name only the import's name for unnamed things of this kind? */
export function standsInForName(name: string, sort: string): boolean {
  return CALLED.get(sort)?.[0]?.join(' ') === name;
}

/** The kind of thing that tags describe, if it is an object. */
export function sortOf(tags: Tags): ObjectSort | undefined {
  for (const key of SORT_KEYS) {
    const value = tags[key];
    if (value === undefined || ACCESS.has(value) || value.length > 40) continue;
    const only = ONLY[key];
    if (only && !only.includes(value)) continue;
    const same = value === 'yes' ? key : (SAME_AS.get(`${key}=${value}`) ?? SAME_AS.get(value) ?? value);
    const name = same === 'embassy' && tags.diplomatic?.includes('consul') ? 'consulate' : same;
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    if (known)
      return {
        name,
        words: known.words,
        importance: known.importance,
        nameless: known.nameless ?? false,
        numbered: known.numbered ?? false,
      };
    return {
      name,
      words: [name.replaceAll('_', ' ')],
      importance: IMPORTANCE_OF_KEY[key] ?? 0.24,
      nameless: false,
      numbered: false,
    };
  }
  return undefined;
}

/**
 * One stop is drawn as a pole, a platform and a mark on the road; a station is also its building. With the
 * key where the value alone is ambiguous: any garden has a water tank.
 */
const SAME_AS = new Map([
  ['platform', 'bus_stop'],
  ['stop_position', 'bus_stop'],
  ['train_station', 'station'],
  ['diplomatic', 'embassy'],
  ['emergency_access_point', 'access_point'],
  ['power=station', 'substation'],
  ['emergency=water_tank', 'fire_water_tank'],
]);

const IMPORTANCE_OF_KEY: Readonly<Record<string, number>> = {
  building: 0.2,
  shop: 0.25,
  office: 0.25,
  natural: 0.26,
  landuse: 0.26,
  historic: 0.28,
  tourism: 0.3,
  leisure: 0.27,
};
