import { expect, test } from 'vitest';
import { unitOf } from '../../../../server/geo/geocoding/query/units.ts';
import { DrawnTown, everyLanguage } from './drawn-town.ts';

test.each([
  ['ул. Ленина, д. 10, кв. 12, Тверь', 'кв. 12'],
  ['Schulstraße 12, Top 7, 3. Stock, Wien', 'Top 7, 3. Stock'],
  ['2120 E Fairmount Ave Apt 4, Baltimore', 'Apt 4'],
  ['12 High St, 3rd floor', '3rd floor'],
  ['Щёкино, ул. Щорса 5, подъезд 2 этаж 3', 'подъезд 2, этаж 3'],
  ['Müllerstr. 5, Whg. 12b', 'Whg. 12b'],
  ['ul. Lipowa 5 m. 12', 'm. 12'],
  ['12 Floor Street', undefined],
  ['улица Этажная 5', undefined],
  ['Flat Rock 12 Road', undefined],
])('"%s" names the unit %s', (query, unit) => {
  expect(unitOf(query, everyLanguage)).toBe(unit);
});

test('an address comes in parts: of its house, its street, and what they lie in', async () => {
  const town = new DrawnTown();
  town.boundary(8, 'Westham', [-2000, -2000], [0, 2000]);
  town.place('suburb', 'Harbour', [-300, 300]);
  town.street('Quay Street', [-350, 300], [-250, 300]);
  town.house('Quay Street', '1', [-340, 310], { 'addr:postcode': 'W1 1AA' });
  town.house('Quay Street', '9', [-260, 310], { 'addr:postcode': 'W1 2BB' });
  // Nobody mapped its town.
  town.street('Schulstraße', [9000, 0], [9200, 0]);
  for (const number of ['1', '3'])
    town.house('Schulstraße', number, [9000 + 10 * Number(number), 10], {
      'addr:city': 'Bindlach',
      'addr:postcode': '95463',
    });
  town.place('hamlet', 'Nowhere', [30_000, 0]);
  town.node({ 'addr:housenumber': '3', 'addr:place': 'Nowhere' }, [30_010, 10]);
  const open = await town.open();
  const first = (query: string) => open.search(query)[0];
  const quay = { street: 'Quay Street', suburb: 'Harbour', city: 'Westham' };
  expect(first('quay street 1')).toMatchObject({ match: 'exact', parts: { ...quay, number: '1', postcode: 'W1 1AA' } });
  expect(first('quay street 9')!.parts).toEqual({ ...quay, number: '9', postcode: 'W1 2BB' });
  // Between two postcodes none is claimed.
  expect(first('quay street 5')).toMatchObject({ match: 'estimated' });
  expect(first('quay street 5')!.parts).toEqual({ ...quay, number: '5' });
  expect(first('quay street')!.parts).toEqual(quay);
  expect(first('schulstraße 3a')).toMatchObject({
    match: 'other',
    parts: { street: 'Schulstraße', number: '3', city: 'Bindlach', postcode: '95463' },
  });
  expect(first('nowhere 3')!.parts).toEqual({ number: '3', city: 'Nowhere' });
});
