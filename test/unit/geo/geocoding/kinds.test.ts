import { expect, test } from 'vitest';
import { DrawnTown } from './drawn-town.ts';

function park(): DrawnTown {
  const town = new DrawnTown();
  town.place('town', 'Westham', [0, 0]);
  town.node({ amenity: 'toilets' }, [0, 0]).node({ leisure: 'playground' }, [500, 0]);
  town.node({ amenity: 'parking' }, [1000, 0]).node({ amenity: 'fountain' }, [1500, 0]);
  town.node({ amenity: 'drinking_water' }, [2000, 0]).node({ emergency: 'fire_hydrant' }, [2500, 0]);
  town.node({ amenity: 'veterinary', name: 'Dr. Paws' }, [3000, 0]).node({ shop: 'bakery', name: 'Crust' }, [3500, 0]);
  town.node({ amenity: 'townhall', name: 'Guildhall' }, [100, 0]);
  town.street('Spielmann Street', [0, 900], [500, 900]);
  return town;
}

test('things without a name are found by their kind in the languages that operators and callers speak', async () => {
  const open = await park().open();
  for (const [query, label] of [
    ['toilets', 'Toilets'],
    ['туалет', 'Toilets'],
    ['WC', 'Toilets'],
    ['Toilette', 'Toilets'],
    ['Spielplatz', 'Playground'],
    ['детская площадка', 'Playground'],
    ['parc infantil', 'Playground'],
    ['plac zabaw', 'Playground'],
    ['ігровий майданчик', 'Playground'],
    ['Parkplatz', 'Parking'],
    ['фонтан', 'Fountain'],
    ['питьевая вода', 'Drinking water'],
    ['гидрант', 'Fire hydrant'],
    ['Tierarzt', 'Dr. Paws'],
    ['ветеринар', 'Dr. Paws'],
    ['panadería', 'Crust'],
    ['boulangerie', 'Crust'],
    ['Spielplatz Westham', 'Playground'],
  ] as const)
    expect(open.labels(query)[0]?.split(',')[0], query).toBe(label);
});

test('a kind in any language is found near something else', async () => {
  const open = await park().open();
  expect(open.labels('Toilette near Guildhall')[0]).toMatch(/^Toilets/);
});

test('a name comes before a kind of the same word', async () => {
  const town = park();
  town.street('Spielplatz', [0, 2000], [300, 2000]);
  expect((await town.open()).labels('Spielplatz')[0]).toBe('Spielplatz, Westham');
});
