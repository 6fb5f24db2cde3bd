import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { latestStamp } from '../../../shared/merge/merge.ts';
import { millisecondsOf } from '../../../shared/merge/stamps.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Closures } from '../../geo/closures/index.ts';
import { hostOf, usesTls } from '../app/client.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { escapeXml, xmlDocument } from '../app/write-xml.ts';
import { pathId } from '../request/fields.ts';
import { capArea, geoRssOf } from './cap-area.ts';

type ActiveClosure = ReturnType<Closures['inForce']>[number];

interface CapOptions {
  readonly stationId: string;
  readonly name: string;
}

const CAP_TYPE = 'application/cap+xml; charset=utf-8';
const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
const GEORSS_NAMESPACE = 'http://www.georss.org/georss';
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const CAP_NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2';

/** Closures in force as alerts for the public (CAP 1.2), with a feed (Atom) that lists them. */
export function capAlertRoutes(closures: Closures, { stationId, name }: CapOptions): DeclaredRoute[] {
  const common = { family: 'station', access: 'user', group: 'Closures', method: 'GET' } as const;
  return [
    route({
      ...common,
      path: '/alerts.atom',
      summary: 'Closures in force as alerts (CAP 1.2), as a feed',
      description:
        'Atom, for programs that warn the public: `?token=KEY` with a key of the scope `read`. Each entry names the address of its alert, which the same key opens, and its place as GeoRSS.',
      answer: { type: ATOM_TYPE },
      run: ({ request, response }) => {
        response.type(ATOM_TYPE);
        const active = closures.inForce().filter(isFelt);
        return feedOf(active, `${originOf(request)}/alerts`, { stationId, name });
      },
    }),
    route({
      ...common,
      path: '/alerts/:id.cap',
      summary: 'A closure in force as an alert (CAP 1.2)',
      description: 'The identifier changes with the closure. A line has an area of 25 m to either side.',
      params: z.object({ id: pathId }),
      answer: { type: CAP_TYPE },
      run: ({ params, response }) => {
        const closure = closures.inForce().find((one) => one.id === params.id && isFelt(one));
        if (!closure) throw new Refusal('closures.missing', { id: params.id });
        response.type(CAP_TYPE);
        return alertOf(closure, { stationId, name });
      },
    }),
  ];
}

/** A factor of 1 changes nothing on the road. */
function isFelt({ factor }: ActiveClosure): boolean {
  return factor < 1;
}

function alertOf(closure: ActiveClosure, { stationId, name }: CapOptions): string {
  const { from, until, factor, reason } = closure;
  const isClosed = factor === 0;
  const info = {
    language: 'und',
    category: 'Transport',
    event: isClosed ? 'Road closed' : 'Traffic slowed',
    responseType: 'Avoid',
    urgency: 'Immediate',
    severity: isClosed ? 'Moderate' : 'Minor',
    certainty: 'Observed',
    ...(from !== null && { effective: timeOf(from) }),
    // Readers take years of four digits only: a later end is left out.
    ...(until !== null && until <= LAST && { expires: timeOf(until) }),
    senderName: name,
    headline: closure.name,
    ...(reason !== '' && { description: reason }),
    area: { areaDesc: closure.name, ...capArea(closure) },
  };
  const alert = {
    identifier: identifierOf(closure, stationId),
    sender: stationId,
    sent: timeOf(sentAt(closure)),
    status: 'Actual',
    msgType: 'Alert',
    scope: 'Public',
    info,
  };
  return xmlDocument('alert', alert, {}, { xmlns: CAP_NAMESPACE });
}

function feedOf(active: readonly ActiveClosure[], address: string, { stationId, name }: CapOptions): string {
  const updated = Math.max(0, ...active.map((closure) => sentAt(closure)));
  const entries = active.map((closure) => {
    const link = `${address}/${closure.id}.cap`;
    return [
      '<entry>',
      `<id>urn:waypost:${escapeXml(identifierOf(closure, stationId))}</id>`,
      `<title>${escapeXml(closure.name)}</title>`,
      `<updated>${timeOf(sentAt(closure))}</updated>`,
      `<link rel="alternate" type="application/cap+xml" href="${escapeXml(link)}"/>`,
      `<summary>${escapeXml(closure.reason)}</summary>`,
      geoRssOf(closure),
      '</entry>',
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"',
    ` xmlns:georss="${GEORSS_NAMESPACE}">`,
    `<id>urn:waypost:alerts:${escapeXml(stationId)}</id>`,
    `<title>${escapeXml(name)}</title>`,
    `<author><name>${escapeXml(name)}</name></author>`,
    `<updated>${timeOf(updated)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(`${address}.atom`)}"/>`,
    ...entries,
    '</feed>\n',
  ].join('');
}

/** One text for one content: readers take an alert with a known identifier for a repeated one. */
function identifierOf({ id, name, reason, geometry, from, until, factor }: ActiveClosure, stationId: string): string {
  const content = JSON.stringify([name, reason, geometry, from, until, factor]);
  return `closure-${id}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}@${stationId}`;
}

/** When it was written last, or began after that. It does not move while the closure stays as it is. */
function sentAt({ from, hlc }: ActiveClosure): number {
  return Math.max(from ?? 0, millisecondsOf(latestStamp(hlc)));
}

/** CAP wants the offset in digits: `2026-06-01T12:00:00+00:00`. */
function timeOf(time: number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, '+00:00');
}

function originOf(request: Request): string {
  return `${usesTls(request) ? 'https' : 'http'}://${hostOf(request)}`;
}
