import {
  AlertBuilder,
  AreaBuilder,
  Category,
  Certainty,
  Geocode,
  InfoBuilder,
  MsgType,
  ResponseType,
  Scope,
  Severity,
  Status,
  Urgency,
} from '@dec112/cap-ts/builder';
import { expect, test } from 'vitest';
import { read } from './documents.ts';

/** Messages as another implementation of CAP 1.2 writes them: it puts the shapes beside the area. */
function messageOf(msgType: MsgType, references = ''): string {
  const area = new AreaBuilder('Harbour');
  area.polygon_list = ['54.0,10.0 54.0,11.0 55.0,11.0 54.0,10.0'];
  area.circle_list = ['53.5,9.9 2'];
  area.geocode_list = [new Geocode('NUTS', 'DE600')];
  const info = new InfoBuilder('Road closed & flooded', Urgency.immediate, Severity.moderate, Certainty.observed, [
    Category.transport,
  ]);
  info.language = 'de';
  info.responseType_list = [ResponseType.avoid];
  info.expires = '2026-11-28T18:00:00+01:00';
  info.headline = 'Hafenstraße < gesperrt >';
  info.area_list = [area.build()];
  const alert = new AlertBuilder(
    ...(['harbour-1', 'police@harbour.example', '2026-11-28T06:00:00+01:00'] as const),
    ...([Status.actual, msgType, Scope.public_] as const),
  );
  alert.info_list = [info];
  if (references !== '') alert.references = references;
  return alert.build().toXML();
}

test('messages that another implementation writes are read as they are meant', () => {
  const { warnings, problems, ignored } = read(messageOf(MsgType.alert));
  expect({ problems, ignored }).toEqual({ problems: [], ignored: 0 });
  expect(warnings).toMatchObject([
    {
      ...{ key: `police@harbour.example,harbour-1,${Date.UTC(2026, 10, 28, 5)}#0`, severity: 'moderate', factor: 0 },
      ...{ until: Date.UTC(2026, 10, 28, 17), codes: ['NUTS=DE600'], geometry: { type: 'MultiPolygon' } },
      texts: [
        { language: 'de', event: 'Road closed & flooded', headline: 'Hafenstraße < gesperrt >', area: 'Harbour' },
      ],
    },
  ]);
  const earlier = 'police@harbour.example,harbour-0,2026-11-28T04:00:00Z';
  const key = `police@harbour.example,harbour-0,${Date.UTC(2026, 10, 28, 4)}`;
  expect(read(messageOf(MsgType.update, earlier))).toMatchObject({ ended: [key], warnings: [{ replaces: [key] }] });
  expect(read(messageOf(MsgType.cancel, earlier))).toMatchObject({ ended: [key], warnings: [] });
});
