import { expect, test } from 'vitest';
import { FrequentWords, spokenLanguages } from '../../../../../server/geo/geocoding/query/language-words.ts';
import { DrawnTown } from '../drawn-town.ts';

/** A town with ten streets of these names, beside each other, each with the houses 2 and 12. */
function townOf(place: { name: string } & Record<string, string>, postcode: string, streets: readonly string[]) {
  const town = new DrawnTown();
  town.place('city', place, [0, 0]);
  streets.forEach((name, i) => {
    const north = i * 120;
    town.street(name, [-400, north], [400, north]);
    for (const number of ['2', '12'])
      town.house(name, number, [20 * Number(number), north + 15], { 'addr:postcode': postcode });
  });
  return town;
}

const MUNICH = ['Tal', 'Im Tal', 'Marienplatz', 'Sendlinger Straße', 'Westenriederstraße', 'Rosengasse', 'Platzl'];

test('in Munich the street "Tal" is a street, whatever an article is called elsewhere', async () => {
  const munich = await townOf({ name: 'München' }, '80331', MUNICH).open();
  for (const query of ['Tal 12', 'Tal 12 München', '12 Tal', 'Tal 12, 80331 München', 'München Tal 12'])
    expect(munich.labels(query)[0], query).toBe('Tal 12, München');
  expect(munich.labels('Tal München')[0]).toBe('Tal, München');
  expect(munich.labels('Tal')[0]).toBe('Tal, München');
});

test('in Malta it stays an article, and a name without it is found', async () => {
  const streets = ['Triq tal-Fortizza', 'Triq il-Kbira', 'Triq ir-Repubblika', 'Sqaq tax-Xitwa'];
  const malta = await townOf({ name: 'Il-Mosta' }, 'MST 1000', streets).open();
  for (const query of ['Triq Fortizza 12', 'Fortizza 12', '12, Triq tal-Fortizza, Il-Mosta MST 1000'])
    expect(malta.labels(query)[0], query).toBe('Triq tal-Fortizza 12, Il-Mosta');
  expect(malta.labels('Triq Kbira 2')[0]).toBe('Triq il-Kbira 2, Il-Mosta');
});

test('a territory speaks the languages of its streets; the language of the user counts as well', () => {
  const terms = ['hauptstrasse', 'lindengasse', 'road', 'street', 'tal', 'triq'];
  const spoken = spokenLanguages(terms, [300, 200, 2, 2, 5, 1]);
  expect([...spoken]).toEqual(['de']);
  const frequent = new FrequentWords(spoken, (word) => terms.includes(word));
  expect(['tal', 'street', 'strasse', 'von'].map((word) => frequent.isWeak(word))).toEqual([false, false, true, true]);
  expect(['tal', 'street'].map((word) => frequent.with('mt').isWeak(word))).toEqual([true, false]);
  expect(frequent.with('en-GB').isWeak('street')).toBe(true);
  // A word that nothing bears cannot be a name: callers name streets in their own language.
  expect(frequent.isWeak('ulitsa')).toBe(true);
  expect(frequent.weightOf('tal')).toBe(1);
});

test('a word that joins streets in another language is a name where something bears it', () => {
  const bears = (word: string) => ['ma', 'u'].includes(word);
  const german = new FrequentWords(['de'], bears);
  expect(['und', 'u', 'ma', 'amb'].map((word) => german.joins(word))).toEqual([true, true, false, true]);
});

const VALLETTA = { 'name': 'Valletta', 'name:ru': 'Валлетта', 'name:mt': 'Il-Belt Valletta', 'name:sr-Latn': 'Valeta' };

async function openValletta() {
  const town = new DrawnTown();
  town.place('city', VALLETTA, [0, 0]);
  town.place('suburb', { 'name': 'Marsamxett', 'name:ru': 'Марсамшетт' }, [0, 100]);
  town.street({ 'name': 'Triq ir-Repubblika', 'name:en': 'Republic Street' }, [-300, 0], [300, 0]);
  town.street('Triq Zekka', [0, -200], [0, 300]);
  town.house('Triq ir-Repubblika', '12', [100, 15]);
  town.node({ 'amenity': 'hospital', 'name': 'Sptar', 'name:en': 'Hospital of St John' }, [200, 100]);
  return town.open();
}

test('names are given in the language of the question where the map has them', async () => {
  const town = await openValletta();
  const first = (query: string, language?: string) => town.search(query, { ...(language && { language }) })[0];
  expect(first('Valletta')!.label).toBe('Valletta');
  expect(first('Valletta', 'ru')!.label).toBe('Валлетта');
  expect(first('валлетта', 'mt')!.label).toBe('Il-Belt Valletta');
  expect(first('Valletta', 'sr-Latn')!.label).toBe('Valeta');
  expect(first('Valletta', 'ja')!.label).toBe('Valletta');
  expect(first('Repubblika 12')).toMatchObject({ label: 'Triq ir-Repubblika 12, Marsamxett, Valletta' });
  // The crew needs the name on the sign.
  expect(first('Repubblika 12', 'en')).toMatchObject({
    label: 'Republic Street (Triq ir-Repubblika) 12, Marsamxett, Valletta',
    parts: { street: 'Republic Street', number: '12', suburb: 'Marsamxett', city: 'Valletta' },
  });
  expect(first('Repubblika 12', 'ru')).toMatchObject({
    label: 'Triq ir-Repubblika 12, Марсамшетт, Валлетта',
    area: 'Марсамшетт, Валлетта',
    parts: { street: 'Triq ir-Repubblika', suburb: 'Марсамшетт', city: 'Валлетта' },
  });
  expect(first('Sptar', 'en')!.label).toBe('Hospital of St John, Marsamxett, Valletta');
  expect(first('Republic Street / Zekka', 'en')!.label).toBe('Republic Street / Triq Zekka, Marsamxett, Valletta');
  expect(town.reverse([100, 15], 'ru')!.label).toBe('Triq ir-Repubblika 12, Марсамшетт, Валлетта');
  expect(town.reverse([100, 15])!.label).toBe('Triq ir-Repubblika 12, Marsamxett, Valletta');
});

test('the country at the end of an address is kept as it was typed', async () => {
  const town = await openValletta();
  const country = (query: string) => town.search(query)[0]?.parts?.country;
  expect(country('12, Triq ir-Repubblika, Valletta, Malta')).toBe('Malta');
  expect(country('Triq ir-Repubblika 12, Valletta, Мальта')).toBe('Мальта');
  expect(country('Triq ir-Repubblika 12\nValletta\nMALTA.')).toBe('MALTA');
  expect(country('Triq ir-Repubblika 12, Valletta')).toBeUndefined();
  expect(country('Malta')).toBeUndefined();
  expect(town.labels('Triq ir-Repubblika 12, Valletta, Malta')[0]).toBe('Triq ir-Repubblika 12, Marsamxett, Valletta');
});
