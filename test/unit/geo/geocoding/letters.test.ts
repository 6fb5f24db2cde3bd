import { expect, test } from 'vitest';
import { DrawnTown, spotOf } from './drawn-town.ts';

/** Towns without borders: only the tags of the houses say where they are. */
function franconia(): DrawnTown {
  const town = new DrawnTown();
  const village = (name: string, postcode: string, north: number): void => {
    town.street('Schulstraße', [0, north], [200, north]);
    town.street('Bindlacher Weg', [0, north + 300], [200, north + 300]);
    for (const number of ['2', '12', '14'])
      town.house('Schulstraße', number, [Number(number) * 10, north + 10], {
        'addr:city': name,
        'addr:postcode': postcode,
      });
    town.house('Bindlacher Weg', '12', [120, north + 310], { 'addr:city': name, 'addr:postcode': postcode });
  };
  village('Bayreuth', '95444', 0);
  village('Bindlach', '95463', 9000);
  village('Goldkronach', '95497', 18_000);
  return town;
}

function baltimore(): DrawnTown {
  const town = new DrawnTown();
  const tags = { 'addr:city': 'Baltimore', 'addr:state': 'MD', 'addr:postcode': '21231' };
  town.street('East Fairmount Avenue', [0, 0], [900, 0]);
  town.house('East Fairmount Avenue', '2120', [300, 10], tags).house('East Fairmount Avenue', '2122', [310, 10], tags);
  town.street('West Fairmount Avenue', [-5900, 0], [-5000, 0]);
  town.house('West Fairmount Avenue', '2120', [-5500, 10], tags);
  town.street('Baltimore Street', [0, 400], [900, 400]);
  town.house('Baltimore Street', '2120', [300, 410], tags);
  // The southern half has no house that names the town.
  town.street('South Conkling Street', [2000, -3000], [2000, -2000]);
  town.house('South Conkling Street', '1211', [2010, -2500]);
  town.street('North Conkling Street', [2000, 2000], [2000, 3000]);
  town
    .house('North Conkling Street', '1209', [2010, 2490], tags)
    .house('North Conkling Street', '1213', [2010, 2510], tags);
  return town;
}

test('the town and the postcode on a letter choose among streets of one name', async () => {
  const open = await franconia().open();
  for (const query of [
    'Schulstraße 12, 95463 Bindlach',
    'Schulstr. 12, 95463 Bindlach',
    'Schulstraße 12 95463 Bindlach',
    'Schulstraße 12, D-95463 Bindlach, Deutschland',
    'Schulstraße 12\n95463 Bindlach\nBayern',
    '12 Schulstraße, Bindlach',
    '95463 Bindlach, Schulstraße 12',
    'Bindlach, Schulstraße, 12',
    'Bindlach Schulstraße 12',
    'Schulstraße 12, 95463',
    'Schulstrase 12, 95463 Bindlach',
    'Villa Rosa, Schulstraße 12, 95463 Bindlach',
    'Schulstraße 12, Wohnung links, 95463 Bindlach',
  ]) {
    const [hit] = open.search(query);
    expect(hit?.label, query).toBe('Schulstraße 12, Bindlach');
    expect(spotOf(hit!), query).toEqual([120, 9010]);
  }
});

test('a town or a postcode that nobody mapped takes no house away', async () => {
  const open = await franconia().open();
  for (const query of [
    'Schulstraße 14, 12345 Nirgendwo',
    'Schulstraße 14 12345 Nirgendwo',
    '14 Schulstraße, Nirgendwo, ZZ 12345-6789, USA',
    'Nirgendwo, Schulstraße, 14',
  ])
    expect(open.labels(query)[0], query).toMatch(/^Schulstraße 14, /);
});

test('an American address finds its house, with a typing mistake too', async () => {
  const open = await baltimore().open();
  for (const query of [
    '2120 E Fairmount Ave, Baltimore, MD 21231',
    '2120 E Fairmont Ave, Baltimore, MD 21231',
    '2120 E Fairmount Ave Baltimore MD 21231',
    '2120 E Fairmont Ave Baltimore MD 21231',
    '2120 East Fairmount Avenue, Baltimore, MD 21231-1234, USA',
    '2120 E Fairmount Ave Apt 4, Baltimore, MD 21231',
    '2120 E Fairmount Ave\nBaltimore, MD',
  ])
    expect(spotOf(open.search(query)[0]!), query).toEqual([300, 10]);
});

test('the name of a town does not pull to another street', async () => {
  const open = await baltimore().open();
  for (const query of ['1211 South Conkling Street, Baltimore', '1211 S Conkling St, Baltimore, MD 21224'])
    expect(open.labels(query)[0], query).toMatch(/^South Conkling Street 1211/);
});

test('a street that only its own tags place is labelled with that town', async () => {
  const town = new DrawnTown();
  town.street({ 'name': 'Rue Haute', 'addr:city': 'Aubin', 'postal_code': '12110' }, [0, 0], [100, 0]);
  town.street({ name: 'Rue Haute', is_in: 'Cransac, Aveyron' }, [0, 5000], [100, 5000]);
  const open = await town.open();
  expect(open.labels('rue haute 12110')[0]).toBe('Rue Haute, Aubin');
  expect(open.labels('rue haute, cransac')[0]).toBe('Rue Haute, Cransac');
});

test('houses of one door are split at commas, but not within one number', async () => {
  const town = new DrawnTown();
  town.street('улица Ленина', [0, 0], [400, 0]);
  town.house('улица Ленина', '10, корп. 2', [100, 10]).house('улица Ленина', '20,22', [200, 10]);
  const open = await town.open();
  expect(open.counts.addresses).toBe(3);
  expect(open.labels('ленина 2')[0]).toBe('улица Ленина ≈2');
  expect(open.labels('ленина 22')[0]).toBe('улица Ленина 22');
});
