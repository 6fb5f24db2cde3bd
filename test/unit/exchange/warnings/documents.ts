import { readFeed } from '../../../../server/exchange/warnings/reading/read-feed.ts';
import type { ReadFeed } from '../../../../server/exchange/warnings/reading/read-warning.ts';

/** Reads a document as a feed at this address brings it. */
export function read(xml: string | Uint8Array, url = 'https://feeds.example/all.xml'): ReadFeed {
  return readFeed(typeof xml === 'string' ? Buffer.from(xml) : xml, url);
}

interface AlertParts {
  readonly identifier?: string;
  readonly sent?: string;
  readonly status?: string;
  readonly msgType?: string;
  readonly references?: string;
  readonly infos?: readonly string[];
  readonly prefix?: string;
}

/** A message of CAP 1.2. */
export function alert({
  identifier = 'storm-1',
  sent = '2026-11-28T06:00:00+01:00',
  status = 'Actual',
  msgType = 'Alert',
  references = '',
  infos = [info()],
  prefix = '',
}: AlertParts = {}): string {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns${prefix && `:${prefix.slice(0, -1)}`}="urn:oasis:names:tc:emergency:cap:1.2">
<identifier>${identifier}</identifier><sender>met@weather.example</sender><sent>${sent}</sent>
<status>${status}</status><msgType>${msgType}</msgType><scope>Public</scope>
${references && `<references>${references}</references>`}${infos.join('')}</alert>`;
  return prefix ? text.replace(/<(\/?)(?=[a-z])/gi, `<$1${prefix}`) : text;
}

/** An information of an alert. `more` stands before its area. */
export function info({
  language = 'en-GB',
  event = 'Storm',
  severity = 'Severe',
  more = '',
  area = '<areaDesc>North coast</areaDesc><polygon>54.0,10.0 54.0,11.0 55.0,11.0 54.0,10.0</polygon>',
  expires = '2026-11-28T18:00:00+01:00',
}: {
  language?: string;
  event?: string;
  severity?: string;
  more?: string;
  area?: string;
  expires?: string;
} = {}): string {
  return `<info>${language && `<language>${language}</language>`}<category>Met</category><event>${event}</event>
<urgency>Expected</urgency><severity>${severity}</severity><certainty>Likely</certainty>
<onset>2026-11-28T09:00:00+01:00</onset>${expires && `<expires>${expires}</expires>`}
<headline>${event} on the coast</headline>${more}<area>${area}</area></info>`;
}

/** A publication of DATEX II with these situation records. */
export function publication(records: string, { version = 2, status = 'real' } = {}): string {
  const situation = `<situation id="S1" version="1"><overallSeverity>high</overallSeverity>
<headerInformation><informationStatus>${status}</informationStatus></headerInformation>${records}</situation>`;
  const head =
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" lang="en"><publicationTime>2026-11-28T06:00:00Z</publicationTime>';
  if (version === 3)
    return `<mc:messageContainer xmlns:mc="http://datex2.eu/schema/3/messageContainer" modelBaseVersion="3"><mc:payload
 xsi:type="sit:SituationPublication" ${head}${situation}</mc:payload></mc:messageContainer>`;
  return `<soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body><d2LogicalModel
 xmlns="http://datex2.eu/schema/2/2_0" modelBaseVersion="2"><payloadPublication xsi:type="SituationPublication"
 ${head}${situation}</payloadPublication></d2LogicalModel></soap:Body></soap:Envelope>`;
}

/** A record of a situation. */
export function record({
  id = 'R1',
  type = 'RoadOrCarriagewayOrLaneManagement',
  validity = '<validityStatus>active</validityStatus>',
  location = pointLocation(),
  more = '<roadOrCarriagewayOrLaneManagementType>roadClosed</roadOrCarriagewayOrLaneManagementType>',
  comment = 'Burst water main',
} = {}): string {
  return `<situationRecord xsi:type="ns2:${type}" id="${id}" version="3">
<situationRecordVersionTime>2026-11-28T05:00:00Z</situationRecordVersionTime><validity>${validity}</validity>
<generalPublicComment><comment><values><value lang="en">${comment}</value></values></comment></generalPublicComment>
${location}${more}</situationRecord>`;
}

/** A point of DATEX II 2. */
export function pointLocation(lat = 47.1, lon = 9.5): string {
  return `<groupOfLocations xsi:type="Point"><pointByCoordinates><pointCoordinates><latitude>${lat}</latitude>
<longitude>${lon}</longitude></pointCoordinates></pointByCoordinates></groupOfLocations>`;
}
