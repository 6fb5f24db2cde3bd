import type { RefusalEntries } from '../kinds.ts';

/** The map data of a station and their import. */
export const territory = {
  none: { kind: 'not-found', text: 'No territory is loaded.' },
  noImport: { kind: 'not-found', text: 'No import is running.' },
  noLimits: { kind: 'not-found', text: 'The territory was made without speed limits. Import it again.' },
  noAddress: { kind: 'not-found', text: 'There is no address or street within 2 km of this point.' },
  noTile: {
    kind: 'not-found',
    text: 'There is no tile {tile}: zooms are 0 to {most}, and columns and rows of a zoom are 0 to 2^zoom - 1.',
  },
  pathHereOnly: {
    kind: 'forbidden',
    text: 'A path may be given on the station itself only; upload the file and send its uuid.',
  },
  path: { kind: 'invalid', text: '{field} must be the full path of a file on the station.' },
  pathOrUpload: { kind: 'invalid', text: 'path or uuid is required.' },
  together: { kind: 'invalid', text: 'lon and lat go together.' },
  placesUnreadable: { kind: 'no-territory', text: 'The places of the territory cannot be read: import it again.' },
  placesVersion: {
    kind: 'conflict',
    text: 'The places of this territory are of version {found}, and {needed} is needed: import the territory once more.',
  },
  importRunning: { kind: 'busy', text: 'Another import is running on this territory; wait until it has ended.' },
  badExtract: { kind: 'invalid', text: '{file}: {problem}.' },
  noFile: { kind: 'invalid', text: '{file} does not exist.' },
  notFile: { kind: 'invalid', text: '{file} is not a file.' },
  unreadable: { kind: 'invalid', text: '{file} cannot be read ({code}).' },
  noPermission: { kind: 'invalid', text: 'The station may not read {file}, or may not write to {folder}.' },
  directory: { kind: 'invalid', text: '{file} is a directory, not an extract.' },
  diskFull: {
    kind: 'invalid',
    text: 'The disk is full: the territory made of {file} does not fit into {folder}. What was loaded before stays.',
  },
  memory: { kind: 'invalid', text: '{file} needs more memory than this machine has; use a smaller extract.' },
  wrongManifest: {
    kind: 'invalid',
    text: 'The other station has a territory in a format that this one does not know.',
  },
  wrongBytes: {
    kind: 'invalid',
    text: 'The copied files differ from those of the territory ({files}). They are copied again.',
  },
  gone: { kind: 'conflict', text: 'The other station has changed its territory meanwhile.' },
  noneThere: { kind: 'invalid', text: '{name} has no territory.' },
  newerProgram: {
    kind: 'invalid',
    text: '{name} has Waypost {theirs}, and this station has {own}. Update this station before it takes over the territory.',
  },
  notConnected: { kind: 'invalid', text: '{name} is not connected. Try again when it is.' },
  alreadyHere: { kind: 'invalid', text: 'The territory of {name} is here already.' },
  empty: { kind: 'invalid', text: '{file} holds no roads. The territory {name} stays.' },
  noRoads: {
    kind: 'invalid',
    text: '{file} has no roads, so there would be no routes. If it is the right file, import it even so (force).',
  },
  notRaster: { kind: 'invalid', text: '{file} is neither an MBTiles file nor a PMTiles file of version 3.' },
  vectorTiles: { kind: 'invalid', text: '{file} holds no pictures. Map layers are PNG, JPEG or WebP pictures.' },
  noTiles: { kind: 'invalid', text: '{file} holds no tiles.' },
  slowRaster: { kind: 'invalid', text: '{file} has no index of its tiles, so that each would read the whole file.' },
  badRaster: { kind: 'invalid', text: '{file} is damaged.' },
  noRaster: { kind: 'not-found', text: 'There is no map layer {id}.' },
  rastersFull: { kind: 'conflict', text: 'A station has at most {most} map layers. Remove one first.' },
  rasterDiskFull: { kind: 'invalid', text: 'The disk is full: {file} does not fit.' },
  noPrevious: { kind: 'not-found', text: 'There is no previous territory to go back to.' },
} as const satisfies RefusalEntries;
