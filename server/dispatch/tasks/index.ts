export { Tasks, type TasksOptions, type UpdateComment } from './tasks.ts';
export type { CreateOrder } from './changes/create.ts';
export type { UpdateOrder } from './changes/update.ts';
export type { CommentOrder } from './comments/comment.ts';
export { mayRead } from './comments/comment.ts';
export { CustomFieldDefinitions } from './directories/custom-field-definitions.ts';
export type { CustomFieldOrder } from './directories/custom-field-rules.ts';
export { Directories } from './directories/directories.ts';
export type { TypeOrder } from './directories/directory-rules.ts';
export type { TaskCount } from './counts/counts.ts';
export { workingSet, type CountFilter, type ListFilter } from './predicates/filter.ts';
export type { ListQuery } from './task-lists.ts';
export type { SortField, WalkPosition } from './lists/tasks-sql.ts';
export { always, holds, type Predicate } from './predicates/predicate.ts';
export { seedTasks } from './seed.ts';
export type { ByStatus, Stats } from './counts/stats-sql.ts';
export { crewActor } from './units/crew-work.ts';
export { ActiveUnits } from './units/active-units.ts';
export type { RelatedTasks } from './merging/task-merging.ts';
export { WaitingTasks, type WaitingStep } from './waiting/waiting-tasks.ts';
export type { DispatchRules } from './waiting/dispatch-rules.ts';
export type { StatusJudgement, TaskUnits } from './units/task-units.ts';
export type { Verdict } from './try-role.ts';
export { visible } from './predicates/visible.ts';
export { TaskReplicaAccess } from './replica-access.ts';
export { PERCENTILES, type ResponseSummary } from './responses/summary.ts';
export { STAGES, type ResponseRules } from './responses/response-times.ts';
export type { ResponsePick, ResponseQuestion, ResponseRow } from './responses/read-responses.ts';
export type { PastQuestion, PastTasks } from './past/read-past.ts';
export {
  CitizenRequests,
  type CitizenFilter,
  type CitizenRequest,
  type CitizenSettings,
} from './citizens/citizen-requests.ts';
export { CONTACT_FIELDS, type CitizenReport } from './citizens/reported.ts';
