import type { PlannedDrive } from '../options/drive.ts';
import type { StopPlace } from './stops.ts';

/** GPX 1.1: the stops as way points with their names, the way as a track. */
export function gpxOf(drive: PlannedDrive, places: readonly StopPlace[], name: string): string {
  const place = ({ lat, lon }: { lat: number; lon: number }) => `lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<gpx version="1.1" creator="Waypost" xmlns="http://www.topografix.com/GPX/1/1">',
    '<metadata><copyright author="OpenStreetMap contributors"><license>https://opendatacommons.org/licenses/odbl/</license></copyright></metadata>',
    ...places.map((one) => `<wpt ${place(one)}><name>${escaped(one.label)}</name></wpt>`),
    `<trk><name>${escaped(name)}</name><trkseg>`,
    ...drive.points.map(([lat, lon]) => `<trkpt ${place({ lat, lon })}/>`),
    '</trkseg></trk>',
    '</gpx>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!);
