import { z } from 'zod';
import type { Channel } from '../types.ts';

/** Settings of a station that its standby stations take over. */
const Settings = z.object({
  /** By their names in `station.json`. */
  values: z.record(z.string().max(100), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])),
  /** Days for which tracks are kept, by organization; null: without limit. */
  retention: z.array(z.object({ organizationId: z.int(), days: z.int().min(1).nullable() })).max(10_000),
  learnedSpeeds: z.boolean(),
  /** Reports by mail, as their room reads and writes them. Older programs send none. */
  reportSchedules: z.array(z.record(z.string(), z.unknown())).max(1_000).optional(),
});
export type FollowedSettings = z.output<typeof Settings>;

/** Where the settings come from, and where a standby keeps them. */
export interface SettingsRoom {
  current(): FollowedSettings;
  take(settings: FollowedSettings): Promise<void>;
  /** Calls the listener when a standby should know a change at once. Returns the unsubscribe function. */
  onUrgent(listener: () => void): () => void;
}

/** ms between two sendings: settings change rarely. */
const EVERY = 30_000;

/** Sends the settings of this station to a standby over the connection, and takes in those of a leader. */
export function followSettings(channel: Channel, settings: SettingsRoom): void {
  const { link } = channel;
  const send = (): void => {
    if (link.theirSettings.standby) channel.notify('settings', settings.current());
  };
  channel.onNotify('settings', (body) => {
    if (link.settings.standby) void settings.take(Settings.parse(body));
  });
  const timer = setInterval(send, EVERY);
  timer.unref();
  const stops = [link.onSettings(send), settings.onUrgent(send)];
  void channel.closed.then(() => {
    clearInterval(timer);
    for (const stop of stops) stop();
  });
  send();
}
