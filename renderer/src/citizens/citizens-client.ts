import { requestStation, type StationAnswer } from '../lib/api/request-station.ts';
import type { components } from '../lib/api/schema.d.ts';
import { language } from './words/words.ts';

type Schemas = components['schemas'];
export type CitizensForm = Schemas['CitizensForm'];
export type CitizensReport = Schemas['CitizensReport'];
export interface ReportedPlace {
  readonly label: string;
  readonly lat: number;
  readonly lon: number;
}
export interface SentReport {
  readonly id: number;
  readonly code: string;
}

/** ms for a photo on a slow line. */
const PATIENCE_WITH_PHOTO = 180_000;

const queryOf = (values: Readonly<Record<string, string | number>>) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();

export const askForm = () => requestStation<CitizensForm>('GET', '/citizens/form');
export const askPlaces = (query: string, signal: AbortSignal) =>
  requestStation<ReportedPlace[]>('GET', `/citizens/places?${queryOf({ query, lang: language.value })}`, undefined, {
    signal,
  });
export const askPlaceAt = ({ lat, lon }: { readonly lat: number; readonly lon: number }) =>
  requestStation<ReportedPlace>('GET', `/citizens/place?${queryOf({ lat, lon, lang: language.value })}`);
export const sendPhoto = (token: string, typeId: number, photo: File): Promise<StationAnswer<{ uuid: string }>> =>
  requestStation('POST', `/citizens/photos?${queryOf({ token, typeId, name: photo.name.slice(-200) })}`, photo, {
    patience: PATIENCE_WITH_PHOTO,
  });
export const sendReport = (body: object) => requestStation<SentReport>('POST', '/citizens/reports', body);
export const askReport = ({ id, code }: SentReport) =>
  requestStation<CitizensReport>('GET', `/citizens/reports/${id}?${queryOf({ code })}`);
