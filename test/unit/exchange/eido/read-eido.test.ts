import { describe, expect, test } from 'vitest';
import { readPidfLo, writePidfLo } from '../../../../server/exchange/eido/pidf-lo.ts';
import { readEido } from '../../../../server/exchange/eido/read-eido.ts';
import { htmlOfText, textOfHtml } from '../../../../server/platform/parsing/html-text.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Chance, SEED } from '../../../support/chance.ts';

const ID = 'urn:emergency:uid:incidentid:a56e:bcf.state.example';
const civic = `<presence xmlns="urn:ietf:params:xml:ns:pidf"><civicAddress xmlns="urn:ietf:params:xml:ns:pidf:geopriv10:civicAddr">
<country>US</country><A1>DE</A1><A3>Wilmington</A3><PRD>W</PRD><RD>Cellular</RD><STS>Street</STS><HNO>42</HNO></civicAddress></presence>`;
const MESSAGE = {
  $id: ID,
  eidoVersion: '1.0',
  issuingElementIdentification: 'idx.state.example',
  incidentComponent: {
    $id: 'i1',
    incidentTypeInternalText: 'Structure fire',
    incidentTypeCommonRegistryText: 'FIRE',
    incidentCommonPriorityNumber: 9,
    locationReference: [{ $ref: 'l2' }],
  },
  callbackComponent: [{ $id: 'c1', callBackInformationUri: ['tel:+13025550100', 'tel:+13025550100'] }],
  notesComponent: [
    { $id: 'n1', notesActionComments: '<p>Smoke from the roof</p><p>2 floors &amp; an attic</p><script>x()</script>' },
    { $id: 'n2', notesActionComments: '' },
  ],
  locationComponent: [
    { $id: 'l1', locationTypeDescriptionRegistryText: 'Caller', locationByValue: writePidfLo('x', { lat: 1, lon: 2 }) },
    { $id: 'l2', locationTypeDescriptionRegistryText: 'CurrentIncident', locationByValue: civic },
  ],
};

describe('an incident of another system', () => {
  test('is read: what, where, how urgent, and who calls', () => {
    expect(readEido(MESSAGE)).toEqual({
      id: ID,
      title: 'Structure fire',
      notes: [{ id: 'n1', text: 'Smoke from the roof\n2 floors & an attic' }],
      address: 'W 42 Cellular Street, Wilmington, DE, US',
      point: { lat: 1, lon: 2 },
      priority: 1,
      head: ['EIDO', `Incident: ${ID}`, 'From: idx.state.example', 'Call back: tel:+13025550100'],
    });
  });

  test('has a title and a priority whatever is missing', () => {
    const titleOf = (incidentComponent: unknown, more: object = {}) =>
      readEido({ $id: ID, issuingElementIdentification: 'idx', incidentComponent, ...more }).title;
    expect(titleOf({ incidentTypeInternalText: 'Other', incidentTypeCommonRegistryText: 'MVA' })).toBe('MVA');
    expect(titleOf([{ incidentTypeCommonRegistryText: 'CU1' }])).toBe('CU1');
    expect(titleOf(undefined, { notesComponent: [{ notesActionComments: 'Cat on a roof<br>Old' }] })).toBe(
      'Cat on a roof',
    );
    expect(titleOf(undefined)).toBe('Incident of idx');
    const priorities = [10, 9, 8, 6, 5, 3, 2, 0, -1, 11, '9', null].map(
      (incidentCommonPriorityNumber) =>
        readEido({ $id: ID, incidentComponent: { incidentCommonPriorityNumber } }).priority,
    );
    expect(priorities).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 0, 0]);
  });

  test('of the drafts before version 1.0 is read, too', () => {
    const draft = {
      $id: 'incidentid:0:psap.example:header',
      locationInformationComponent: [{ locationByValue: civic }],
    };
    expect(readEido(draft)).toMatchObject({
      id: 'incidentid:0:psap.example',
      address: expect.stringContaining('Cellular'),
    });
  });

  test('without an id is refused', () => {
    for (const body of [{}, { $id: '' }, { $id: 5 }, { $id: 'x'.repeat(301) }, null, [], 'x'])
      expect(() => readEido(body)).toThrow(Refusal);
  });

  test(`3,000 messages with members of other kinds are read or refused (WAYPOST_SEED=${SEED})`, () => {
    const chance = new Chance();
    const wrong = [null, 0, '', 'x', [], {}, [null], [[]], [{ $id: 7 }], { $ref: 1 }, true, '<', '<a>&#99999999;'];
    const damaged = (value: unknown): unknown => {
      if (chance.maybe(0.1)) return chance.of(wrong);
      if (Array.isArray(value)) return value.map(damaged);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, damaged(member)]));
    };
    let read = 0;
    for (let round = 0; round < 3_000; round++) {
      try {
        const { id, title, priority, point } = readEido(damaged(MESSAGE));
        expect([
          id.length > 0,
          title.length > 0,
          priority >= 0,
          point === undefined || Number.isFinite(point.lat),
        ]).toEqual([true, true, true, true]);
        read++;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
    }
    expect(read).toBeGreaterThan(1_000);
  });
});

test('PIDF-LO: what is written is read; a broken document has no place', () => {
  expect(readPidfLo(writePidfLo('task-1@x', { lat: 47.14, lon: -9.52 }))).toEqual({
    point: { lat: 47.14, lon: -9.52 },
    address: '',
  });
  for (const document of ['', 'x', '<presence>', '<gml:pos>91 0</gml:pos>', '<pos>a b</pos>', '<pos>5</pos>'])
    expect(readPidfLo(document).point, document).toBeUndefined();
  // As a sample of the standard has it: attributes are missing, but the place stands before that.
  expect(readPidfLo('<presence><pos>40.44 -80.0 34</pos><x uom="a" 3</x></presence>').point).toEqual({
    lat: 40.44,
    lon: -80,
  });
});

test('text as HTML and back', () => {
  for (const text of ['a < b & "c"', 'one\ntwo', '<script>alert(1)</script>', "it's 5 > 4"])
    expect(textOfHtml(htmlOfText(text))).toBe(text);
  expect(textOfHtml('<ul><li>a</li><li>b</li></ul>&#1087;&#x43f;&unknown;&nbsp;&#0;')).toBe('a\nb\nпп&unknown;');
});
