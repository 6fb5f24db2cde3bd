import { followedSettingsOf, writeFollowedSettings } from '../config/index.ts';
import { readFollowedSchedules, type ReportSchedules } from '../reporting/notify/index.ts';
import type { SettingsRoom } from '../replication/sync/index.ts';
import type { Foundation } from './foundation.ts';
import type { TerritoryRooms } from './territory.ts';
import type { Tracking } from './tracking.ts';

type FollowedSettingsOptions = Pick<Foundation, 'config' | 'log' | 'accounts'> &
  Pick<Tracking, 'telemetry'> &
  Pick<TerritoryRooms, 'speeds'> & { readonly reportSchedules: ReportSchedules };

/** The settings that a standby copies from its leading station, and their use there. */
export function followedSettings(options: FollowedSettingsOptions): SettingsRoom {
  const { config, log, accounts, telemetry, speeds, reportSchedules } = options;
  const logger = log.logger('links');
  const { retention } = telemetry;
  return {
    current: () => ({
      values: followedSettingsOf(config) as ReturnType<SettingsRoom['current']>['values'],
      retention: accounts.organizations
        .all()
        .filter(({ isDeleted }) => !isDeleted)
        .map(({ id }) => ({ organizationId: id, days: retention.rule(id).days })),
      learnedSpeeds: speeds.isEnabled,
      reportSchedules: reportSchedules.ofStation().map((schedule) => ({ ...schedule })),
    }),
    // A promoted standby must not send a report again.
    onUrgent: (listener) => reportSchedules.onChange(listener),
    async take({ values, retention: rules, learnedSpeeds, reportSchedules: schedules = [] }) {
      try {
        await reportSchedules.follow(readFollowedSchedules(schedules));
        const changed = writeFollowedSettings(config.data, values);
        if (changed.length > 0) logger.info(`Settings copied from the leading station: ${changed.join(', ')}.`);
        for (const { organizationId, days } of rules)
          if (retention.rule(organizationId).days !== days) await retention.set(organizationId, days);
        if (speeds.isEnabled !== learnedSpeeds && accounts.hasAdministrator)
          await speeds.setEnabled(accounts.stationActor(), learnedSpeeds);
      } catch (error) {
        logger.error('Settings of the leading station could not be copied.', error);
      }
    },
  };
}
