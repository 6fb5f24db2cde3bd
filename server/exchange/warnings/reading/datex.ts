import { beginning } from '../../../../shared/text/characters.ts';
import { withoutPrefix } from '../../../platform/parsing/xml-reader.ts';
import { SLOWED } from './cap.ts';
import { isForSomeVehicles, readLocation, type DatexLocation } from './datex-location.ts';
import { attributeAt, childAt, childrenOf, textAt, timeOf, within, type XmlElement } from './elements.ts';
import type { FeedContent, ReadWarning, RoadEvent, Severity, WarningText } from './read-warning.ts';

const LONGEST = { line: 500, text: 10_000 } as const;
const UNREAL = ['test', 'technicalExercise', 'securityExercise'];
const CLOSED = ['roadClosed', 'carriagewayClosures', 'closedPermanentlyForTheWinter', 'overnightClosures'];
const NARROWED = [
  'laneClosures',
  'contraflow',
  'narrowLanes',
  'singleAlternateLineTraffic',
  'intermittentShortTermClosures',
  'lanesDeviated',
  'newRoadworksLayout',
  'rollingRoadBlock',
  'doNotUseSpecifiedLanesOrCarriageways',
];
const BLOCKED = ['roadBlocked', 'carriagewayBlocked'];
const OBSTRUCTED = [
  'roadPartiallyObstructed',
  'carriagewayPartiallyObstructed',
  'lanesBlocked',
  'lanesPartiallyObstructed',
];
/** By the effect on traffic: the highest degree is no danger to life for a whole area, as it is in CAP. */
const SEVERITY: Readonly<Record<string, Severity>> = {
  highest: 'severe',
  high: 'moderate',
  medium: 'minor',
  low: 'minor',
  lowest: 'minor',
};

/** Reads the records of a situation of DATEX II 2 or 3 (CEN/TS 16157-3, EN 16157-2). */
export function readSituation(situation: XmlElement, content: FeedContent): void {
  if (UNREAL.includes(textAt(situation, 'headerInformation', 'informationStatus'))) return void content.ignored++;
  for (const record of childrenOf(situation, 'situationRecord')) {
    const id = attributeAt(record, 'id');
    if (id === '') content.problem('A record of a situation has no id.');
    else if (!hasEnded(record)) content.add([readRecord(record, id, situation)]);
  }
}

/** A feed lists everything that holds, and so a record that has ended need not be known. */
function hasEnded(record: XmlElement): boolean {
  const cycle = childAt(record, 'management', 'lifeCycleManagement');
  const isOver = ['cancel', 'end'].some((name) => ['true', '1'].includes(textAt(cycle, name)));
  return isOver || textAt(record, 'validity', 'validityStatus') === 'suspended';
}

function readRecord(record: XmlElement, id: string, situation: XmlElement): ReadWarning {
  const times = ['situationRecordVersionTime', 'situationRecordObservationTime', 'situationRecordCreationTime'];
  const sentAt = times.map((name) => timeOf(textAt(record, name))).find((time) => time !== undefined) ?? 0;
  const type = withoutPrefix(attributeAt(record, 'type')).replace(/^sit(?=[A-Z])/, '');
  const management = textAt(record, 'roadOrCarriagewayOrLaneManagementType');
  const location = readLocation(record);
  const severity = textAt(record, 'severity') || textAt(situation, 'overallSeverity');
  const validity = readValidity(record, sentAt);
  return {
    key: id.slice(0, 500),
    replaces: [],
    sender: senderOf(record),
    sentAt,
    severity: SEVERITY[severity] ?? 'unknown',
    road: eventOf(type, management),
    ...validity,
    isPartial: validity.isPartial || management === 'overnightClosures',
    texts: textsOf(record, location),
    codes: location.codes,
    geometry: location.geometry,
    hasEndsOnly: location.hasEndsOnly,
    factor: isForSomeVehicles(record)
      ? null
      : factorOf(management, textAt(record, 'impact', 'trafficConstrictionType')),
    link: '',
  };
}

function eventOf(type: string, management: string): RoadEvent {
  if (CLOSED.includes(management)) return 'roadClosed';
  if (NARROWED.includes(management)) return 'lanesClosed';
  if (/Works$|^Roadworks$/.test(type)) return 'roadworks';
  if (type === 'Accident') return 'accident';
  if (type.endsWith('Obstruction')) return 'obstruction';
  if (type.endsWith('RoadConditions')) return 'roadConditions';
  if (type === 'PoorEnvironmentConditions') return 'weather';
  if (type === 'AbnormalTraffic') return 'traffic';
  return type === 'PublicEvent' ? 'publicEvent' : 'other';
}

function factorOf(management: string, constriction: string): number | null {
  if (CLOSED.includes(management) || BLOCKED.includes(constriction)) return 0;
  return NARROWED.includes(management) || OBSTRUCTED.includes(constriction) ? SLOWED : null;
}

/** One period narrows the whole time; several, or times of the day, are more than one span can say. */
function readValidity(record: XmlElement, sentAt: number): Pick<ReadWarning, 'from' | 'until' | 'isPartial'> {
  const specification = childAt(record, 'validity', 'validityTimeSpecification');
  const from = timeOf(textAt(specification, 'overallStartTime')) ?? sentAt;
  const until = timeOf(textAt(specification, 'overallEndTime')) ?? null;
  const periods = childrenOf(specification, 'validPeriod');
  const recurs = periods.some(({ children }) => children.some(({ name }) => name.startsWith('recurring')));
  if (recurs || periods.length > 1) return { from, until, isPartial: true };
  const [period] = periods;
  return {
    from: timeOf(textAt(period, 'startOfPeriod')) ?? from,
    until: timeOf(textAt(period, 'endOfPeriod')) ?? until,
    isPartial: false,
  };
}

function senderOf(record: XmlElement): string {
  const source = childAt(record, 'source');
  const [name] = within(source ?? record, 'sourceName');
  const [value] = name ? within(name, 'value') : [];
  return (value?.text.trim() || textAt(source, 'sourceIdentification')).slice(0, LONGEST.line);
}

/** The comments by language. The headline is the road; the console puts the event before it. */
function textsOf(record: XmlElement, { roads }: DatexLocation): WarningText[] {
  const languages = new Map<string, { description: string[]; area: string[] }>();
  for (const comment of childrenOf(record, 'generalPublicComment')) {
    const kind = textAt(comment, 'commentType');
    if (kind === 'internalNote') continue;
    for (const value of within(comment, 'value')) {
      const language = attributeAt(value, 'lang').slice(0, 35);
      const texts = languages.get(language) ?? { description: [], area: [] };
      languages.set(language, texts);
      texts[kind === 'locationDescriptor' ? 'area' : 'description'].push(value.text.trim());
    }
  }
  if (languages.size === 0) languages.set('', { description: [], area: [] });
  const road = roads.join(', ');
  return [...languages].slice(0, 20).map(([language, { description, area }]) => ({
    language,
    event: '',
    headline: beginning(road || area[0] || description[0] || '', LONGEST.line),
    description: beginning(description.filter(Boolean).join('\n'), LONGEST.text),
    instruction: '',
    area: beginning(area.filter(Boolean).join('; '), LONGEST.line),
  }));
}
