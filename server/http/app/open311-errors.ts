import { xmlDocument } from './write-xml.ts';

/** GeoReport v2: how the entries of each list are called in XML. */
export const OPEN311_ENTRIES = {
  services: 'service',
  attributes: 'attribute',
  values: 'value',
  service_requests: 'request',
  endpoints: 'endpoint',
  formats: 'format',
  errors: 'error',
} as const;

/** An error in the form of GeoReport v2: XML where the path asks for it, else JSON. */
export function open311Error(path: string, status: number, description: string): { type: string; text: string } {
  const errors = [{ code: status, description }];
  return path.endsWith('.xml')
    ? { type: 'text/xml; charset=utf-8', text: xmlDocument('errors', errors, OPEN311_ENTRIES) }
    : { type: 'application/json; charset=utf-8', text: JSON.stringify(errors) };
}
