import type { Chance } from '../../../server/demo/chance.ts';
import type { House } from './houses.ts';
import { nameTags, type Name } from './names.ts';
import { distance, type Spot } from '../plan/plane.ts';
import type { Quarter } from '../plan/plan.ts';

interface Kind {
  readonly tags: Readonly<Record<string, string>>;
  /** In a town of 25,000 nodes. */
  readonly count: number;
  readonly en: string;
  readonly ru: string;
  readonly where: readonly (Quarter | 'village')[];
  /** Close to the middle of the town. */
  readonly central?: true;
}

/** `#` in a name becomes the ordinal. */
const KINDS: readonly Kind[] = [
  { tags: { amenity: 'townhall' }, count: 1, en: 'Town Hall', ru: 'Ратуша', where: ['old'], central: true },
  {
    tags: { amenity: 'hospital', emergency: 'yes' },
    count: 1,
    en: 'City Hospital #',
    ru: 'Городская больница № #',
    where: ['flats', 'grid'],
  },
  {
    tags: { emergency: 'ambulance_station' },
    count: 1,
    en: 'Ambulance Station #',
    ru: 'Станция скорой помощи № #',
    where: ['flats', 'grid', 'old'],
  },
  {
    tags: { amenity: 'fire_station' },
    count: 2,
    en: 'Fire Station #',
    ru: 'Пожарная часть № #',
    where: ['grid', 'flats', 'industry'],
  },
  {
    tags: { amenity: 'police' },
    count: 2,
    en: 'Police Station #',
    ru: 'Отдел полиции № #',
    where: ['old', 'grid', 'flats'],
  },
  { tags: { amenity: 'clinic' }, count: 2, en: 'Clinic #', ru: 'Поликлиника № #', where: ['flats', 'grid', 'curved'] },
  {
    tags: { amenity: 'vehicle_depot', landuse: 'depot' },
    count: 1,
    en: 'Municipal Works Depot #',
    ru: 'База городского хозяйства № #',
    where: ['industry', 'grid'],
  },
  {
    tags: { amenity: 'vehicle_depot', landuse: 'depot' },
    count: 1,
    en: 'Road Service Depot #',
    ru: 'Дорожная база № #',
    where: ['industry', 'flats'],
  },
  {
    tags: { amenity: 'school' },
    count: 5,
    en: 'School No. #',
    ru: 'Школа № #',
    where: ['grid', 'flats', 'curved', 'closes'],
  },
  {
    tags: { amenity: 'kindergarten' },
    count: 4,
    en: 'Kindergarten No. #',
    ru: 'Детский сад № #',
    where: ['grid', 'flats', 'curved', 'closes'],
  },
  {
    tags: { amenity: 'university' },
    count: 1,
    en: 'Polytechnic',
    ru: 'Политехнический институт',
    where: ['old', 'flats'],
  },
  { tags: { amenity: 'pharmacy' }, count: 6, en: 'Pharmacy #', ru: 'Аптека № #', where: ['old', 'grid', 'flats'] },
  {
    tags: { shop: 'supermarket' },
    count: 4,
    en: 'Basket Market #',
    ru: 'Универсам «Корзина» #',
    where: ['grid', 'flats', 'curved'],
  },
  {
    tags: { shop: 'convenience' },
    count: 8,
    en: 'Corner Shop #',
    ru: 'Продукты #',
    where: ['grid', 'curved', 'closes', 'village'],
  },
  { tags: { amenity: 'cafe' }, count: 7, en: 'Café Teapot #', ru: 'Кафе «Чайник» #', where: ['old', 'grid'] },
  {
    tags: { amenity: 'restaurant' },
    count: 3,
    en: 'Restaurant Millpond #',
    ru: 'Ресторан «Запруда» #',
    where: ['old', 'grid'],
  },
  { tags: { amenity: 'bank' }, count: 3, en: 'River Bank #', ru: 'Речной банк #', where: ['old', 'grid', 'flats'] },
  {
    tags: { amenity: 'fuel' },
    count: 4,
    en: 'Fuel Station #',
    ru: 'АЗС № #',
    where: ['grid', 'flats', 'industry', 'village'],
  },
  {
    tags: { amenity: 'post_office' },
    count: 3,
    en: 'Post Office #',
    ru: 'Почта № #',
    where: ['old', 'grid', 'flats', 'village'],
  },
  {
    tags: { amenity: 'library' },
    count: 1,
    en: 'Town Library #',
    ru: 'Городская библиотека № #',
    where: ['old', 'grid'],
  },
  {
    tags: { amenity: 'theatre' },
    count: 1,
    en: 'Drama Theatre',
    ru: 'Драматический театр',
    where: ['old'],
    central: true,
  },
  {
    tags: { amenity: 'cinema' },
    count: 1,
    en: 'Cinema Aurora #',
    ru: 'Кинотеатр «Аврора» #',
    where: ['old', 'grid', 'flats'],
  },
  { tags: { tourism: 'museum' }, count: 1, en: 'Museum of Bridges', ru: 'Музей мостов', where: ['old'], central: true },
  { tags: { tourism: 'hotel' }, count: 2, en: 'Hotel Heron #', ru: 'Гостиница «Цапля» #', where: ['old', 'grid'] },
  {
    tags: { amenity: 'place_of_worship' },
    count: 2,
    en: 'Hilltop Church #',
    ru: 'Храм на горке #',
    where: ['old', 'grid', 'village'],
  },
  { tags: { man_made: 'works' }, count: 3, en: 'Works No. #', ru: 'Завод № #', where: ['industry'] },
  { tags: { shop: 'car_repair' }, count: 3, en: 'Garage #', ru: 'Автосервис #', where: ['industry', 'grid', 'closes'] },
];

/** Which house is what, besides a house: tags for some of them. */
export function pointsOfInterest(
  houses: readonly House[],
  nodes: number,
  middle: Spot,
  chance: Chance,
): Map<House, Record<string, string>> {
  const found = new Map<House, Record<string, string>>();
  for (const kind of KINDS) {
    const candidates = houses.filter((house) => kind.where.includes(house.quarter) && !found.has(house));
    if (kind.central) candidates.sort((a, b) => distance(a.middle, middle) - distance(b.middle, middle));
    const count = kind.en.includes('#')
      ? Math.max(nodes >= 6000 ? 1 : 0, Math.round((kind.count * nodes) / 25_000))
      : nodes >= 6000
        ? 1
        : 0;
    for (let ordinal = 1; ordinal <= count && candidates.length > 0; ordinal++) {
      const [house] = candidates.splice(kind.central ? 0 : chance.whole(candidates.length), 1);
      const number = count === 1 && kind.count === 1 ? '' : String(ordinal);
      const name: Name = { en: filled(kind.en, number), ru: filled(kind.ru, number) };
      found.set(house!, { ...kind.tags, ...nameTags(name, house!.street.cyrillic) });
    }
  }
  return found;
}

const filled = (template: string, number: string): string =>
  number === '' ? template.replace(/( No\.| №)? #/, '') : template.replace('#', number);
