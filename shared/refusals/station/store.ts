import type { RefusalEntries } from '../kinds.ts';

/** The data directory and its records. */
export const store = {
  diskFull: { kind: 'disk-full', text: 'There is no room left on the disk of the station.' },
  notStored: {
    kind: 'disk-failed',
    text: 'The disk of the station could not store what was written. The station must be restarted.',
  },
  idsUsedUp: { kind: 'conflict', text: 'This station has used up its {count} ids for {what}.' },
  stampsMalformed: { kind: 'invalid', text: 'The stamps of {key} are malformed.' },
  notStamp: { kind: 'invalid', text: '"{stamp}" is not a stamp.' },
  stampAhead: {
    kind: 'invalid',
    text: "The stamp {stamp} is {seconds} s ahead of this station's clock: one of the two clocks is wrong.",
  },
  otherNumber: {
    kind: 'conflict',
    text: 'This data directory belongs to station number {number} and cannot be opened as number {wanted}: the ids of its records carry the number.',
  },
  numberRange: { kind: 'invalid', text: 'The station number {number} is not between 0 and {last}.' },
  inUse: {
    kind: 'busy',
    text: 'The data directory {directory} is in use by another Waypost. One station at a time can open it.',
  },
  inUseBy: {
    kind: 'busy',
    text: 'The data directory {directory} is in use by another Waypost ({holder}). One station at a time can open it.',
  },
  unusable: {
    kind: 'conflict',
    text: 'The data directory {directory} cannot be used: {problem}. It must be a directory that this user may write to, on a disk with room.',
  },
  newer: {
    kind: 'conflict',
    text: 'The data in {file} was written by a newer Waypost (version {found} of {what}, this program knows {known}). Nothing was changed. Start the newer program, or restore a backup that this one made.',
  },
  noCopy: {
    kind: 'conflict',
    text: 'This newer Waypost has to convert the data in {file} and could not copy it first: {problem}. Nothing was changed. Make room for a copy, then start it again.',
  },
} as const satisfies RefusalEntries;

/** Backups and their restore. */
export const backup = {
  noStation: { kind: 'not-found', text: 'There is no station in {directory}.' },
  exists: { kind: 'conflict', text: '{file} exists already.' },
  cannotWrite: {
    kind: 'invalid',
    text: 'The user {user}, as whom this command runs, may not write into {folder}. Name a file in another folder, such as /var/tmp.',
  },
  holdsStation: {
    kind: 'conflict',
    text: 'The data directory {directory} holds a station already. Confirm that it is to be replaced (in a command: --yes). Its files are kept in a folder beside it.',
  },
  brokenOff: {
    kind: 'conflict',
    text: 'A restore into {directory} was interrupted while it put the files in place. The earlier files are in a folder "before-restore-…" beside them: move {aside} away and compare both.',
  },
  unusable: { kind: 'invalid', text: 'The backup {file} cannot be used: {problem}.' },
  newer: { kind: 'invalid', text: '{file} was made by a newer Waypost.' },
  notBackup: { kind: 'invalid', text: '{file} is not a backup of Waypost.' },
  damagedEntry: { kind: 'invalid', text: 'The backup {file} is damaged: {name} cannot be read.' },
  damaged: { kind: 'invalid', text: 'The backup {file} is damaged: {problem}' },
  unfinished: {
    kind: 'conflict',
    text: 'A restore into {directory} was not finished. Run "waypost restore" again, or remove the folder {folder} to go on with what is there.',
  },
  noDatabase: { kind: 'invalid', text: '{file} holds no station.db.' },
  unreadable: { kind: 'invalid', text: '{file} cannot be read: {problem}.' },
  growing: { kind: 'invalid', text: '{file} unpacks to {megabytes} MB: it is not a backup of Waypost.' },
  noSpace: { kind: 'conflict', text: '{file} needs {megabytes} MB, and {free} MB are free on that disk.' },
  running: { kind: 'conflict', text: 'A backup is being made already.' },
  noSuch: { kind: 'not-found', text: 'There is no backup {id} in {folder}.' },
  damagedManifest: {
    kind: 'invalid',
    text: 'The list of a backup, {file}, is damaged: that backup cannot be restored. Delete the file.',
  },
  stationDamaged: {
    kind: 'conflict',
    text: 'station.db is damaged ({problem}): {file}. No backup can be made of it. Stop the station and run "waypost salvage".',
  },
  leftOut: { kind: 'conflict', text: '{file} is not in the backup: {problem}. Run "waypost check".' },
  missingObjects: { kind: 'conflict', text: '{count} files of this backup are damaged or missing.' },
  damagedObjects: {
    kind: 'conflict',
    text: '{count} files in {folder} were damaged and were removed. The disk may be failing.',
  },
  diskFull: {
    kind: 'disk-full',
    text: 'The disk of the backups is full: {folder}. Make room, or set another folder.',
  },
  noRoom: {
    kind: 'disk-full',
    text: 'A backup in {folder} needs {megabytes} MB free, including the room that the station itself needs. There are {free} MB. Make room, or set another folder.',
  },
  placeGone: {
    kind: 'conflict',
    text: 'The backups that were in {folder} are gone. Is the disk connected? To start with no backups, set another folder.',
  },
  placeMissing: { kind: 'conflict', text: 'The folder for backups is not there: {folder}. Is the disk connected?' },
  placeFailed: { kind: 'conflict', text: 'The backups in {folder} cannot be reached: {problem}.' },
  otherStation: {
    kind: 'conflict',
    text: '{folder} holds the backups of another station ({station}). Restore one of them here, or set another folder.',
  },
  failed: { kind: 'conflict', text: 'The backup failed: {problem}.' },
  stale: { kind: 'conflict', text: 'The last good backup is of {at}: more than two days old.' },
  noneYet: { kind: 'conflict', text: 'There is no backup of this station.' },
  passphraseNeeded: { kind: 'invalid', text: 'The backup in {file} is encrypted: its passphrase is needed.' },
  passphraseWrong: { kind: 'invalid', text: 'That passphrase does not open the backup in {file}.' },
  keyUnreadable: { kind: 'invalid', text: 'The key of the backup is damaged or missing: {file}.' },
  attention: { kind: 'conflict', text: 'The backups have a problem. See the page Backups.' },
  notEmpty: {
    kind: 'conflict',
    text: 'A backup is restored from the console into an empty station only: one administrator, no other users, no tasks. Use "waypost restore" here.',
  },
  notSalvageable: {
    kind: 'invalid',
    text: '{file} cannot be salvaged: {problem}. Restore a backup with "waypost restore".',
  },
  restoring: { kind: 'conflict', text: 'A backup is being restored already.' },
} as const satisfies RefusalEntries;
