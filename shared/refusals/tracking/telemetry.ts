import type { RefusalEntries } from '../kinds.ts';

/** Tracks of vehicles. */
export const telemetry = {
  closing: { kind: 'busy', text: 'The station is closing.' },
  tooManyTracks: { kind: 'busy', text: 'Too many tracks are being read. Try again.' },
  readerRestarted: { kind: 'busy', text: 'The reader of tracks was restarted ({reason}). Try again.' },
  readerUnavailable: {
    kind: 'busy',
    text: 'The reader of tracks cannot be started at the moment ({reason}). Try again later.',
  },
  paused: { kind: 'busy', text: 'Tracks cannot be written at the moment ({reason}). Send it again later.' },
  damaged: { kind: 'disk-failed', text: 'tracks.db of the station is damaged. The station must be restarted.' },
  notStored: {
    kind: 'disk-failed',
    text: 'The disk of the station could not store what came in. The station must be restarted.',
  },
  trackFileUnknown: {
    kind: 'invalid',
    text: 'The file has no track. Send GPX, KML with gx:Track, GeoJSON, or CSV with the columns time, lat and lon.',
  },
  trackFileBroken: { kind: 'invalid', text: 'The file cannot be read: {problem}' },
  trackFileEmpty: { kind: 'invalid', text: 'No point of the file has both a time and a place.' },
  trackFileLong: { kind: 'too-large', text: 'The file has more than {most} points. Split it.' },
  historianAway: {
    kind: 'busy',
    text: 'Tracks of that time are in the historian, which does not answer ({reason}). Try again later.',
  },
  restarted: { kind: 'busy', text: 'The writer of tracks was restarted ({reason}). Send it again.' },
} as const satisfies RefusalEntries;
