import { followedSettingsOf, writeFollowedSettings } from '../config/index.ts';
import type { SettingsRoom } from '../sync/index.ts';
import type { Foundation } from './foundation.ts';
import type { TerritoryRooms } from './territory.ts';
import type { Tracking } from './tracking.ts';

type FollowedSettingsOptions = Pick<Foundation, 'config' | 'log' | 'accounts'> &
  Pick<Tracking, 'telemetry'> &
  Pick<TerritoryRooms, 'speeds'>;

/** The settings of this station that a standby takes over, and what a standby does with them. */
export function followedSettings({ config, log, accounts, telemetry, speeds }: FollowedSettingsOptions): SettingsRoom {
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
    }),
    async take({ values, retention: rules, learnedSpeeds }) {
      try {
        const changed = writeFollowedSettings(config.data, values);
        if (changed.length > 0)
          logger.info(`Settings of the station that this one follows were taken over: ${changed.join(', ')}.`);
        for (const { organizationId, days } of rules)
          if (retention.rule(organizationId).days !== days) await retention.set(organizationId, days);
        if (speeds.isEnabled !== learnedSpeeds && accounts.hasAdministrator)
          await speeds.setEnabled(accounts.stationActor(), learnedSpeeds);
      } catch (error) {
        logger.error('Settings of the station that this one follows could not be taken over.', error);
      }
    },
  };
}
