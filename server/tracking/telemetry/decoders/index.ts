import { aprs } from './aprs.ts';
import { egts } from './egts.ts';
import { nmea } from './nmea.ts';
import { osmand } from './osmand.ts';
import { retranslator } from './retranslator.ts';
import { teltonika } from './teltonika.ts';
import { wialon } from './wialon.ts';

/**
 * Every protocol of devices. Settings, listeners and the replay of the quarantine follow this list and its
 * order.
 */
export const DECODERS = [osmand, wialon, teltonika, egts, nmea, retranslator, aprs] as const;

export type DecoderName = (typeof DECODERS)[number]['name'];
