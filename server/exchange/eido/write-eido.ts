import { UNIT_STATUS_WORDS } from '../../../shared/fleet/unit-status.ts';
import { latestStamp } from '../../../shared/merge/merge.ts';
import { millisecondsOf } from '../../../shared/merge/stamps.ts';
import type { Comment, Task } from '../../../shared/records/index.ts';
import { activeUnits } from '../../../shared/tasks/units.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { htmlOfText } from '../../platform/parsing/html-text.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import { writePidfLo } from './pidf-lo.ts';

export interface EidoRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly stationId: string;
}

/** From 0, the lowest, to 10, by our priority. */
const PRIORITIES = { 1: 10, 2: 7, 3: 4, 4: 1 } as const;
/** The word of each registry for things without a word of their own. */
const OTHER = 'Other';

/** The name of the station as an element of a network of emergency services. */
export function elementOf(stationId: string): string {
  return `${stationId.toLowerCase()}.waypost.invalid`;
}

/** The id of a task for other systems. */
export function incidentId(taskId: number, stationId: string): string {
  return `urn:emergency:uid:incidentid:${taskId}:${elementOf(stationId)}`;
}

/**
 * A task as an Emergency Incident Data Object (NENA-STA-021.1, version 1.0). Words of its registries are used
 * where one has the same meaning; else `Other`, with our own word beside it. @param comments those that the
 * reader sees
 */
export function writeEido(task: Task, comments: readonly Comment[], { tasks, fleet, stationId }: EidoRooms) {
  const element = elementOf(stationId);
  const agency = `organization-${task.organizationId}.${element}`;
  const agentOf = (userId: number) => ({ $ref: `user-${userId}@${element}` });
  const prologue = ($id: string, at: number, userId = task.authorId) => ({
    $id,
    lastUpdateTimeStamp: new Date(at).toISOString(),
    updatedByAgencyReference: { $ref: agency },
    updatedByAgentReference: agentOf(userId),
  });
  const place = `location-${task.id}@${element}`;
  const notes = [
    ...(task.text === '' ? [] : [{ id: `text-${task.id}`, text: task.text, at: task.date, userId: task.authorId }]),
    ...comments.map(({ id, text, at, authorId }) => ({ id: `comment-${id}`, text, at, userId: authorId })),
  ];
  const units = activeUnits(task);
  const userIds = new Set([task.authorId, ...notes.map(({ userId }) => userId)]);
  const hasPlace = task.point !== null || task.address !== '';
  return {
    ...prologue(incidentId(task.id, stationId), millisecondsOf(latestStamp(task.hlc))),
    'eidoVersion': '1.0' as const,
    'issuingElementIdentification': element,
    'incidentComponent': {
      ...prologue(`incident-${task.id}@${element}`, task.updatedAt),
      incidentTypeInternalCode: String(task.typeId),
      incidentTypeInternalText: task.title,
      incidentTypeCommonRegistryText: OTHER,
      incidentStatusInternalText: [tasks.statuses.get(task.status)?.name ?? ''],
      internalIncidentId: String(task.id),
      incidentPriorityInternalText: `P${priority(task, tasks)}`,
      incidentCommonPriorityNumber: PRIORITIES[priority(task, tasks)],
      agentReference: [agentOf(task.authorId)],
      ...(hasPlace && { locationReference: [{ $ref: place }] }),
      notesReference: notes.map(({ id }) => ({ $ref: `${id}@${element}` })),
    },
    ...(task.mergedInto && {
      mergeComponent: [
        {
          ...prologue(`merge-${task.id}@${element}`, task.updatedAt),
          incidentTrackingIdentifier: incidentId(task.mergedInto, stationId),
          incidentMergeDirectionCode: 'REPLACED' as const,
        },
      ],
    }),
    'linkComponent': (task.linkIds ?? []).map((id) => ({
      ...prologue(`link-${task.id}-${id}@${element}`, task.updatedAt),
      incidentTrackingIdentifier: incidentId(id, stationId),
      linkDirectionCode: 'RELATED' as const,
    })),
    'notesComponent': notes.map(({ id, text, at, userId }) => ({
      ...prologue(`${id}@${element}`, at, userId),
      notesActionComments: htmlOfText(text),
      agentReference: agentOf(userId),
    })),
    ...(hasPlace && {
      locationComponent: [
        {
          ...prologue(place, task.updatedAt),
          locationTypeDescriptionRegistryText: 'CurrentIncident',
          ...(task.address !== '' && { locationDescriptionText: task.address }),
          ...(task.point && { locationByValue: writePidfLo(`task-${task.id}@${element}`, task.point) }),
        },
      ],
    }),
    ...(units.length > 0 && {
      dispatchComponent: [
        {
          ...prologue(`dispatch-${task.id}@${element}`, task.updatedAt),
          agencyReference: { $ref: agency },
          emergencyResourceReference: units.map(({ vehicleId }) => ({ $ref: `vehicle-${vehicleId}@${element}` })),
        },
      ],
    }),
    'emergencyResourceComponent': units.map(({ vehicleId, status, statusSince, sentAt }) => {
      const vehicle = fleet.get(vehicleId);
      return {
        ...prologue(`vehicle-${vehicleId}@${element}`, statusSince || sentAt),
        agentReference: [agentOf(task.authorId)],
        emergencyResourceTypeCommonRegistryText: OTHER,
        emergencyResourceTypeInternalText: fleet.kinds.mirror.get(vehicle?.kindId ?? 0)?.name ?? '',
        emergencyResourceName: vehicle?.name ?? String(vehicleId),
        resourceAttributeRegistryText: [OTHER],
        resourceAttributeInternalText: (vehicle?.capabilityIds ?? []).flatMap(
          (id) => fleet.capabilities.mirror.get(id)?.name ?? [],
        ),
        primaryUnitStatusRegistryText: 'Assigned',
        secondaryUnitStatusRegistryText: [],
        unitStatusInternal: [UNIT_STATUS_WORDS[status] ?? ''],
      };
    }),
    'agencyComponent': [
      {
        ...prologue(agency, task.updatedAt),
        agencyRoleDescriptionRegistryText: ['Dispatch'],
        agencyType: ['psap'],
        incidentOwningAgencyIndicator: true,
      },
    ],
    'agentComponent': [...userIds].map((userId) => ({
      ...prologue(agentOf(userId).$ref, task.updatedAt, userId),
      agentRoleRegistryText: ['Dispatching'],
      agencyReference: { $ref: agency },
    })),
    '@context': { '@vocab': './JSON-LD_Contexts/EmergencyIncidentDataObjectType.jsonld' },
  };
}

function priority(task: Task, tasks: Tasks): 1 | 2 | 3 | 4 {
  return priorityOf(task, tasks.categories.get(task.categoryId));
}
