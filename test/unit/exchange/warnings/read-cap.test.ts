import { describe, expect, test } from 'vitest';
import { alert, info, read } from './documents.ts';

const first = (xml: string) => read(xml).warnings[0]!;

describe('a message of CAP', () => {
  test('is a warning with its severity, times, texts and area', () => {
    const { format, warnings, ignored, problems } = read(alert());
    expect({ format, ignored, problems }).toEqual({ format: 'cap', ignored: 0, problems: [] });
    expect(warnings).toEqual([
      {
        key: `met@weather.example,storm-1,${Date.UTC(2026, 10, 28, 5)}#0`,
        replaces: [],
        sender: 'met@weather.example',
        sentAt: Date.UTC(2026, 10, 28, 5),
        severity: 'severe',
        road: null,
        from: Date.UTC(2026, 10, 28, 8),
        until: Date.UTC(2026, 10, 28, 17),
        isPartial: false,
        texts: [
          {
            ...{ language: 'en-GB', event: 'Storm', headline: 'Storm on the coast', area: 'North coast' },
            ...{ description: '', instruction: '' },
          },
        ],
        codes: [],
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [10, 54],
              [11, 54],
              [11, 55],
              [10, 54],
            ],
          ],
        },
        hasEndsOnly: false,
        factor: null,
        link: 'https://feeds.example/all.xml',
      },
    ]);
  });

  test('is the same with prefixes, in another encoding and in an envelope', () => {
    const plain = first(alert());
    expect(first(alert({ prefix: 'cap:' }))).toEqual(plain);
    const inner = alert().replace(/<\?xml.*\?>/, '');
    expect(
      first(`<EDXLDistribution><contentObject><xmlContent>${inner}</xmlContent></contentObject></EDXLDistribution>`),
    ).toEqual(plain);
    const latin = alert({ infos: [info({ event: 'Überflutung' })] }).replace('UTF-8', 'ISO-8859-1');
    expect(readLatin(latin)).toBe('Überflutung');
  });

  test('that is an exercise, a test, a draft or an acknowledgement is ignored', () => {
    for (const status of ['Exercise', 'Test', 'System', 'Draft', '']) {
      const { warnings, ignored } = read(alert({ status }));
      expect({ status, count: warnings.length, ignored }).toEqual({ status, count: 0, ignored: 1 });
    }
    for (const msgType of ['Ack', 'Error']) expect(read(alert({ msgType })).warnings).toEqual([]);
  });

  test('that updates or cancels names what it ends, whatever the zone of its time', () => {
    const references = 'met@weather.example,storm-1,2026-11-28T05:00:00-00:00 a@b,c,2026-11-28T06:00:00+01:00';
    const ended = ['met@weather.example,storm-1', 'a@b,c'].map((name) => `${name},${Date.UTC(2026, 10, 28, 5)}`);
    const update = read(alert({ identifier: 'storm-2', msgType: 'Update', references }));
    expect(update.ended).toEqual(ended);
    expect(update.warnings.map(({ replaces }) => replaces)).toEqual([ended]);
    const cancel = read(alert({ identifier: 'storm-3', msgType: 'Cancel', references }));
    expect({ ended: cancel.ended, count: cancel.warnings.length }).toEqual({ ended, count: 0 });
    expect(first(alert()).key).toBe(`${ended[0]}#0`);
  });

  test('in several languages is one warning for each subject', () => {
    const both = read(alert({ infos: [info(), info({ language: 'ru', event: 'Буря' })] })).warnings;
    expect(both.map(({ texts }) => texts.map(({ language, event }) => [language, event]))).toEqual([
      [
        ['en-GB', 'Storm'],
        ['ru', 'Буря'],
      ],
    ]);
    const subjects = [info(), info({ event: 'Flood', severity: 'Minor' }), info({ language: 'ru', event: 'Буря' })];
    expect(read(alert({ infos: subjects })).warnings.map(({ key, severity }) => [key.at(-1), severity])).toEqual([
      ['0', 'severe'],
      ['1', 'minor'],
    ]);
  });

  test('of which all is clear is no warning; without an end it holds as long as it is listed', () => {
    expect(read(alert({ infos: [info({ more: '<responseType>AllClear</responseType>' })] })).warnings).toEqual([]);
    expect(first(alert({ infos: [info({ expires: '' })] })).until).toBeNull();
    expect(first(alert({ infos: [info({ severity: 'Terrible' })] })).severity).toBe('unknown');
  });

  test('has circles and codes; a broken place is left out, the rest stays', () => {
    const area = `<areaDesc>Town</areaDesc><circle>47.1,9.5 2.5</circle><circle>47.1,9.5 0</circle><polygon>1,2 3,4</polygon>
<polygon>91,0 91,1 92,1 91,0</polygon><geocode><valueName>EMMA_ID</valueName><value>LI001</value></geocode>`;
    const { geometry, codes } = first(alert({ infos: [info({ area })] }));
    expect(codes).toEqual(['EMMA_ID=LI001']);
    const ring = geometry?.type === 'Polygon' ? geometry.coordinates[0]! : [];
    expect(ring).toHaveLength(65);
    expect(ring[0]).toEqual(ring[64]);
    expect((ring[16]![1]! - 47.1) * 111.19493).toBeCloseTo(2.5, 3);
    expect(first(alert({ infos: [info({ area: '<areaDesc>Town</areaDesc>' })] })).geometry).toBeNull();
  });

  test('about traffic that tells people to avoid the place closes its roads; a minor one slows them', () => {
    const traffic = (severity: string, response: string) =>
      info({ severity, more: `<category>Transport</category><responseType>${response}</responseType>` });
    expect(first(alert({ infos: [traffic('Moderate', 'Avoid')] })).factor).toBe(0);
    expect(first(alert({ infos: [traffic('Minor', 'Avoid')] })).factor).toBe(0.5);
    expect(first(alert({ infos: [traffic('Moderate', 'Monitor')] })).factor).toBeNull();
    expect(first(alert({ infos: [info({ more: '<responseType>Avoid</responseType>' })] })).factor).toBeNull();
  });

  test('without an identifier or a time is a problem, not a warning', () => {
    expect(read(alert({ identifier: '' }))).toMatchObject({
      warnings: [],
      problems: [expect.stringContaining('identifier')],
    });
    expect(read(alert({ sent: 'yesterday' }))).toMatchObject({ warnings: [], problems: [expect.any(String)] });
  });
});

function readLatin(text: string): string {
  return read(Buffer.from(text, 'latin1')).warnings[0]!.texts[0]!.event;
}
