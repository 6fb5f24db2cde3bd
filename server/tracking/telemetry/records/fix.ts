import { z } from 'zod';
import { Instant } from '../../../../shared/records/record.ts';

/** The sending device: its device number, or its IMEI. */
export const Device = z.object({
  glonassId: z.int().min(0).max(2_147_483_647).optional(),
  imei: z.string().min(1).max(32).optional(),
});
export type Device = z.infer<typeof Device>;
/** The vehicle of a device; undefined: unknown. */
export type FindVehicle = (device: Device) => { id: number } | undefined;

const Parameters = z.record(z.string().max(64), z.union([z.number(), z.string().max(1344), z.boolean()]));

/**
 * One record of a device: times in epoch milliseconds, speed in km/h, height in metres, course in degrees
 * clockwise from north.
 */
export const Fix = z.object({
  time: Instant,
  lat: z.number().min(-90).max(90),
  lon: z.number().min(-180).max(180),
  /** Missing: computed from the point before. */
  speed: z.number().min(0).optional(),
  direction: z.number().default(0),
  height: z.number().default(0),
  gpsCount: z.int().min(0).max(1000).optional(),
  glonassCount: z.int().min(0).max(1000).optional(),
  /** Digital inputs, one bit each. */
  inputs: z.int().min(0).max(0xffff_ffff).default(0),
  adc: z.array(z.number()).max(64).default([]),
  /** Further values of the device. `unit_status` is the crew's status digit. */
  params: Parameters.default({}),
});
export type Fix = z.infer<typeof Fix>;

/** A record of `POST /telemetry`. */
export const TelemetryRecord = z
  .object({ ...Device.shape, ...Fix.shape })
  .refine((record) => record.glonassId !== undefined || record.imei !== undefined, {
    error: 'glonassId or imei is missing.',
  });

/** A record that the schema accepts. Fields that are missing have the schema's defaults. */
export type ValidRecord = z.input<typeof TelemetryRecord>;
