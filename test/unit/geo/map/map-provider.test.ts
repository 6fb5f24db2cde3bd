import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOrigins, readMapProvider } from '../../../../shared/geo/map-provider.ts';
import { SEED } from '../../../support/chance.ts';

test('an address with the numbers of a tile is a provider, and what follows is whose pictures they are', () => {
  expect(readMapProvider(' https://tiles.example/{z}/{x}/{y}.png?key=4  © The survey of the town ')).toEqual({
    template: 'https://tiles.example/{z}/{x}/{y}.png?key=4',
    origins: ['https://tiles.example'],
    host: 'tiles.example',
    attribution: '© The survey of the town',
  });
  expect(readMapProvider('http://10.0.0.7:8080/{z}/{y}/{x}')).toMatchObject({
    origins: ['http://10.0.0.7:8080'],
    host: '10.0.0.7:8080',
    attribution: '',
  });
  expect(readMapProvider('https://tiles.example/{z}/{x}/{-y}{r}.png')).toMatchObject({ host: 'tiles.example' });
});

test('{s} stands for three servers, also when it changes nothing of the origin', () => {
  expect(readMapProvider('https://{s}.tiles.example/{z}/{x}/{y}.png')).toMatchObject({
    origins: ['https://a.tiles.example', 'https://b.tiles.example', 'https://c.tiles.example'],
  });
  expect(readMapProvider('https://tiles.example/{s}/{z}/{x}/{y}.png')).toMatchObject({
    origins: ['https://tiles.example'],
  });
});

test('a word is no provider, and no fault', () => {
  for (const word of ['', 'roads', 'osm', 'ftp://tiles.example/{z}/{x}/{y}', '{z}/{x}/{y}'])
    expect(readMapProvider(word)).toBeUndefined();
});

test.each([
  'https://tiles.example/',
  'https://tiles.example/{z}/{x}.png',
  'https://tiles.example/{z}/{x}/{y}/{quadkey}',
  'https://{z}.example/{z}/{x}/{y}',
  'https://*.example/{z}/{x}/{y}',
  "https://a.example;script-src'self'/{z}/{x}/{y}",
  'https://user:secret@tiles.example/{z}/{x}/{y}',
  'https://[::1]/{z}/{x}/{y}',
  'https:///{z}/{x}/{y}',
  'https://',
])('%s cannot be used', (text) => {
  expect(readMapProvider(text)).toBe('faulty');
});

test('whatever is typed, an origin has nothing that a policy would read as another rule', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.nat(40), (noise, at) => {
      const address = 'https://{s}.tiles.example:8443/{z}/{x}/{y}';
      const text = `${address.slice(0, at)}${noise}${address.slice(at)}`;
      const provider = readMapProvider(text);
      if (provider === undefined || provider === 'faulty') return;
      for (const origin of provider.origins) expect(origin).toMatch(/^https?:\/\/[a-z0-9.-]+(:\d+)?$/);
    }),
    { seed: SEED, numRuns: 1000 },
  );
});

test('the origins of organizations are listed once, without those that are deleted', () => {
  const organization = (mapRoadProvider: string, mapAerialProvider: string, isDeleted = false) => ({
    isDeleted,
    mapRoadProvider,
    mapAerialProvider,
  });
  expect(
    pictureOrigins([
      organization('https://b.example/{z}/{x}/{y}', 'https://a.example/{z}/{x}/{y}'),
      organization('https://b.example/other/{z}/{x}/{y}', 'roads'),
      organization('https://gone.example/{z}/{x}/{y}', '', true),
      organization('https://faulty.example/', ''),
    ]),
  ).toEqual(['https://a.example', 'https://b.example']);
});
