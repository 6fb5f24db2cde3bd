import type { Chance } from '../../../server/demo/chance.ts';
import type { House } from './houses.ts';

/** What is said of the building and of its address. */
export function houseTags(
  house: House,
  city: string,
  postcode: string | undefined,
  chance: Chance,
): { building: Record<string, string>; address: Record<string, string> } {
  const { name } = house.street;
  return {
    building: buildingTags(house, chance),
    address: {
      'addr:housenumber': house.number,
      'addr:street': house.street.cyrillic ? name.ru : name.en,
      'addr:city': city,
      ...(postcode !== undefined && { 'addr:postcode': postcode }),
    },
  };
}

function buildingTags(house: House, chance: Chance): Record<string, string> {
  switch (house.quarter) {
    case 'industry':
      return { building: 'industrial' };
    case 'flats':
      return { 'building': 'apartments', 'building:levels': String(chance.pick([5, 5, 9, 9, 12])) };
    case 'old':
      return { 'building': chance.happens(0.3) ? 'commercial' : 'yes', 'building:levels': String(2 + chance.whole(3)) };
    default:
      return { building: 'house' };
  }
}
