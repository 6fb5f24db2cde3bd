export { Warnings, type FeedPreview, type WarningAlarm } from './warnings.ts';
export type { RoadProposal } from './proposals.ts';
export type { FeedState } from './follow-feed.ts';
export type { WarningFeed, WarningFeedOrder } from './warning-feeds.ts';
export type { Warning } from './warning-table.ts';
export { ROAD_EVENTS, SEVERITIES, type ReadWarning } from './reading/read-warning.ts';
