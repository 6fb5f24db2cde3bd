import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readFeed } from '../../../../server/exchange/warnings/reading/read-feed.ts';
import type { ReadWarning } from '../../../../server/exchange/warnings/reading/read-warning.ts';
import { alert, pointLocation, publication, read, record } from './documents.ts';

const ATOM = 'xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"';
const atom = (entries: string) => `<feed ${ATOM}><id>x</id><title>Warnings</title>${entries}</feed>`;
const rss = (items: string) => `<rss version="2.0"><channel><title>Warnings</title>${items}</channel></rss>`;

describe('a feed', () => {
  test('names messages of CAP by their addresses, which may be relative', () => {
    const entry = (link: string) =>
      `<entry><id>urn:1</id><title>Storm</title><updated>2026-11-28T06:00:00Z</updated>${link}</entry>`;
    const linked = (link: string) =>
      read(atom(entry(link)), 'https://feeds.example/a/all.xml').links.map(({ url }) => url);
    expect(linked('<link rel="self" href="/x"/><link type="application/cap+xml" href="b/1"/>')).toEqual([
      'https://feeds.example/a/b/1',
    ]);
    expect(linked('<link href="https://other.example/1.cap?x=1"/>')).toEqual(['https://other.example/1.cap?x=1']);
    expect(linked('<link href="https://other.example/news.html"/>')).toEqual([]);
    expect(linked('<link type="application/cap+xml" href="file:///etc/passwd"/>')).toEqual([]);
    const item =
      '<item><title>Storm</title><link>https://other.example/1.xml</link><pubDate>Sat, 28 Nov 2026 06:00:00 GMT</pubDate></item>';
    expect(read(rss(item)).links).toEqual([
      { url: 'https://other.example/1.xml', version: String(Date.UTC(2026, 10, 28, 6)), entry: null },
    ]);
  });

  test('carries the elements of CAP in its entries', () => {
    const entry = `<entry><id>https://w.example/1</id><link rel="alternate" href="https://w.example/1"/><updated>2026-11-28T06:00:00Z</updated>
<author><name>Weather service</name></author><title>Storm warning</title><summary>&lt;p&gt;Gusts &amp;amp; rain&lt;/p&gt;</summary>
<event>Storm</event><severity>Severe</severity><status>Actual</status><msgType>Alert</msgType><expires>2026-11-28T18:00:00Z</expires>
<areaDesc>Coast</areaDesc><polygon>54,10 54,11 55,11 54,10</polygon>
<geocode><valueName>SAME</valueName><value>006109</value><valueName>UGC</valueName><value>CAZ1</value></geocode></entry>`;
    const { links } = read(atom(entry));
    expect(links).toHaveLength(1);
    expect(links[0]!.entry).toMatchObject({
      ...{
        key: 'https://w.example/1#0',
        sender: 'Weather service',
        severity: 'severe',
        until: Date.UTC(2026, 10, 28, 18),
      },
      ...{ codes: ['SAME=006109', 'UGC=CAZ1'], geometry: { type: 'Polygon' } },
      texts: [{ headline: 'Storm warning', description: 'Gusts & rain', area: 'Coast' }],
    });
    expect(read(atom(entry.replace('>Actual<', '>Test<')))).toMatchObject({ links: [{ entry: null }], ignored: 1 });
  });

  test('has places by GeoRSS, GML and W3C; an entry without a place is no warning', () => {
    const placeOf = (place: string) =>
      read(atom(`<entry><id>1</id><title>Flood</title>${place}</entry>`)).warnings[0]?.geometry;
    expect(placeOf('<georss:point>47.1 9.5</georss:point>')).toEqual({ type: 'Point', coordinates: [9.5, 47.1] });
    expect(placeOf('<georss:line>47.1 9.5 47.2 9.6</georss:line>')).toEqual({
      type: 'LineString',
      coordinates: [
        [9.5, 47.1],
        [9.6, 47.2],
      ],
    });
    expect(placeOf('<georss:polygon>47 9 47 10 48 10 47 9</georss:polygon>')).toMatchObject({ type: 'Polygon' });
    expect(placeOf('<georss:box>47 9 48 10</georss:box>')).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [9, 47],
          [10, 47],
          [10, 48],
          [9, 48],
          [9, 47],
        ],
      ],
    });
    expect(placeOf('<georss:where><Point><pos>47.1 9.5</pos></Point></georss:where>')).toEqual({
      type: 'Point',
      coordinates: [9.5, 47.1],
    });
    expect(
      placeOf(
        '<georss:where><Polygon><exterior><LinearRing><posList>47 9 47 10 48 10 47 9</posList></LinearRing></exterior></Polygon></georss:where>',
      ),
    ).toMatchObject({ type: 'Polygon' });
    expect(placeOf('<lat>47.1</lat><long>9.5</long>')).toEqual({ type: 'Point', coordinates: [9.5, 47.1] });
    expect(placeOf('<georss:point>north</georss:point>')).toBeUndefined();
    expect(placeOf('')).toBeUndefined();
  });

  test('with a message in an entry gives the message', () => {
    const inner = alert().replace(/<\?xml.*\?>/, '');
    expect(read(atom(`<entry><id>1</id><content type="text/xml">${inner}</content></entry>`))).toMatchObject({
      format: 'cap',
      warnings: [{ severity: 'severe' }],
    });
  });

  test('may be packed; of a large one only what concerns the station counts', () => {
    const records = (count: number) =>
      Array.from({ length: count }, (_, id) =>
        record({ id: `R${id}`, location: pointLocation(47, id % 2 ? 9 : 10) }),
      ).join('');
    const packed = gzipSync(publication(records(5_100), { version: 3 }));
    const near = (warning: ReadWarning) => warning.geometry?.type === 'Point' && warning.geometry.coordinates[0] === 9;
    expect(readFeed(packed, '', (warning) => near(warning) && Number(warning.key.slice(1)) < 101)).toMatchObject({
      ...{ elsewhere: 5_050, problems: [], ignored: 0 },
      warnings: expect.objectContaining({ length: 50 }),
    });
    expect(readFeed(packed, '')).toMatchObject({
      problems: ['The feed has more than 5000 warnings.'],
      warnings: expect.objectContaining({ length: 5_000 }),
    });
    expect(() => readFeed(packed.subarray(0, 1_000), '')).toThrow('cannot be unpacked');
    const bomb = gzipSync(Buffer.alloc(257_000_000), { level: 1 });
    expect(() => readFeed(bomb, '')).toThrow('cannot be unpacked');
    expect(() => read(`<feed><entry>${'<a/>'.repeat(500_000)}</entry></feed>`)).toThrow('more than 500000 elements');
  });

  test('that is empty has no warnings; another document is refused, and so is a broken one', () => {
    expect(read(atom(''))).toMatchObject({ format: 'atom', warnings: [], links: [] });
    expect(read(rss(''))).toMatchObject({ format: 'rss', warnings: [] });
    const refused = (xml: string | Uint8Array) => {
      try {
        read(xml);
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><feed ${ATOM}><entry><id>&b;</id></entry></feed>`;
    for (const xml of [
      '',
      'no XML',
      '<html><body/></html>',
      '<feed><entry></feed>',
      '{"a":1}',
      bomb,
      `${'<a>'.repeat(200)}`,
    ])
      expect([xml.slice(0, 20), refused(xml)]).toEqual([xml.slice(0, 20), 'warnings.brokenFeed']);
    expect(refused(Buffer.from('<?xml version="1.0" encoding="klingon"?><feed/>'))).toBe('warnings.brokenFeed');
  });
});
