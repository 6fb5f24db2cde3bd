import { describe, expect, test } from 'vitest';
import { pointLocation, publication, read, record } from './documents.ts';

const first = (records: string, options?: object) => read(publication(records, options)).warnings[0]!;
const management = (type: string) =>
  `<roadOrCarriagewayOrLaneManagementType>${type}</roadOrCarriagewayOrLaneManagementType>`;

describe('a situation of DATEX II', () => {
  test('is a warning with its road, text, times and place, in version 2 and 3', () => {
    const location = `<locationReference xsi:type="loc:LinearLocation"><gmlLineString srsName="EPSG:4326"><posList>
47.10 9.50 47.11 9.51</posList></gmlLineString><roadNumber>A13</roadNumber></locationReference>`;
    expect(first(record({ location }), { version: 3 })).toEqual({
      ...{ key: 'R1', replaces: [], sender: '', sentAt: Date.UTC(2026, 10, 28, 5), severity: 'moderate' },
      ...{ road: 'roadClosed', from: Date.UTC(2026, 10, 28, 5), until: null, isPartial: false, codes: [] },
      texts: [
        {
          ...{ language: 'en', event: '', headline: 'A13', description: 'Burst water main', instruction: '', area: '' },
        },
      ],
      geometry: {
        type: 'LineString',
        coordinates: [
          [9.5, 47.1],
          [9.51, 47.11],
        ],
      },
      ...{ hasEndsOnly: false, factor: 0, link: '' },
    });
    expect(first(record())).toMatchObject({
      geometry: { type: 'Point', coordinates: [9.5, 47.1] },
      texts: [{ headline: 'Burst water main' }],
    });
  });

  test('closes, slows or only tells', () => {
    const roadOf = (more: string, type?: string) => {
      const { road, factor } = first(record({ more, ...(type !== undefined && { type }) }));
      return [road, factor];
    };
    expect(roadOf(management('carriagewayClosures'))).toEqual(['roadClosed', 0]);
    expect(roadOf(management('laneClosures'))).toEqual(['lanesClosed', 0.5]);
    expect(roadOf(management('keepToTheRight'))).toEqual(['other', null]);
    expect(roadOf('', 'MaintenanceWorks')).toEqual(['roadworks', null]);
    const blocked = (type: string) => `<impact><trafficConstrictionType>${type}</trafficConstrictionType></impact>`;
    expect(roadOf(blocked('roadBlocked'), 'Accident')).toEqual(['accident', 0]);
    expect(roadOf(blocked('lanesBlocked'), 'VehicleObstruction')).toEqual(['obstruction', 0.5]);
    const lorries =
      '<forVehiclesWithCharacteristicsOf><vehicleType>lorry</vehicleType></forVehiclesWithCharacteristicsOf>';
    expect(roadOf(management('roadClosed') + lorries)).toEqual(['roadClosed', null]);
    expect(roadOf(management('roadClosed'), 'sitRoadOrCarriagewayOrLaneManagement')).toEqual(['roadClosed', 0]);
  });

  test('holds within its one period; several, or hours of the day, are said to be partial', () => {
    const times = (inner: string) =>
      `<validityStatus>definedByValidityTimeSpec</validityStatus><validityTimeSpecification>
<overallStartTime>2026-11-01T00:00:00Z</overallStartTime><overallEndTime>2026-12-01T00:00:00Z</overallEndTime>${inner}</validityTimeSpecification>`;
    const whole = { from: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 11, 1) };
    expect(first(record({ validity: times('') }))).toMatchObject({ ...whole, isPartial: false });
    const period =
      '<validPeriod><startOfPeriod>2026-11-20T00:00:00Z</startOfPeriod><endOfPeriod>2026-11-21T00:00:00Z</endOfPeriod></validPeriod>';
    expect(first(record({ validity: times(period) }))).toMatchObject({
      ...{ from: Date.UTC(2026, 10, 20), until: Date.UTC(2026, 10, 21), isPartial: false },
    });
    expect(first(record({ validity: times(period + period) }))).toMatchObject({ ...whole, isPartial: true });
    const nightly = '<validPeriod><recurringTimePeriodOfDay/></validPeriod>';
    expect(first(record({ validity: times(nightly) }))).toMatchObject({ ...whole, isPartial: true });
    expect(first(record({ more: management('overnightClosures') }))).toMatchObject({ isPartial: true, factor: 0 });
  });

  test('a suspended, cancelled or ended record is no warning; an exercise is ignored', () => {
    const over = '<management><lifeCycleManagement><end>true</end></lifeCycleManagement></management>';
    expect(read(publication(record({ more: over }))).warnings).toEqual([]);
    expect(read(publication(record({ validity: '<validityStatus>suspended</validityStatus>' }))).warnings).toEqual([]);
    for (const status of ['test', 'securityExercise', 'technicalExercise'])
      expect(read(publication(record(), { status }))).toMatchObject({ warnings: [], ignored: 1 });
  });

  test('has its place by the ends of TPEG or OpenLR, by several parts, or by the point to display', () => {
    const point = (lat: number, lon: number) =>
      `<pointCoordinates><latitude>${lat}</latitude><longitude>${lon}</longitude></pointCoordinates>`;
    const tpeg = `<groupOfLocations xsi:type="Linear"><tpegLinearLocation><to>${point(47.2, 9.6)}</to><from>${point(47.1, 9.5)}</from></tpegLinearLocation></groupOfLocations>`;
    const ends = {
      hasEndsOnly: true,
      geometry: {
        type: 'LineString',
        coordinates: [
          [9.5, 47.1],
          [9.6, 47.2],
        ],
      },
    };
    expect(first(record({ location: tpeg }))).toMatchObject(ends);
    const reference = (name: string, lat: number, lon: number) =>
      `<${name}><openlrCoordinate><latitude>${lat}</latitude><longitude>${lon}</longitude></openlrCoordinate></${name}>`;
    const openlr = `<locationReference xsi:type="LinearLocation"><openlrLinear><firstDirection><openlrLineLocationReference>
${reference('openlrLocationReferencePoint', 47.1, 9.5)}${reference('openlrLastLocationReferencePoint', 47.2, 9.6)}
</openlrLineLocationReference></firstDirection></openlrLinear></locationReference>`;
    expect(first(record({ location: openlr }), { version: 3 })).toMatchObject(ends);
    const inner = (location: string) =>
      location
        .replace('<groupOfLocations xsi:type="Point">', '<location>')
        .replace('</groupOfLocations>', '</location>');
    const itinerary = `<groupOfLocations xsi:type="ItineraryByIndexedLocations"><locationContainedInItinerary>${inner(pointLocation())}</locationContainedInItinerary><locationContainedInItinerary>${inner(pointLocation(47.3, 9.7))}</locationContainedInItinerary></groupOfLocations>`;
    expect(first(record({ location: itinerary })).geometry).toEqual({
      type: 'MultiPoint',
      coordinates: [
        [9.5, 47.1],
        [9.7, 47.3],
      ],
    });
    const coded = `<groupOfLocations xsi:type="Linear"><locationForDisplay><latitude>47.1</latitude><longitude>9.5</longitude></locationForDisplay><alertCLinear><specificLocation>4711</specificLocation></alertCLinear></groupOfLocations>`;
    expect(first(record({ location: coded }))).toMatchObject({ geometry: { type: 'Point' }, codes: ['ALERT-C=4711'] });
  });
});
