export { describeSettings } from './describe-settings.ts';
export { devicePorts, followedSettingsOf, readFollowedSettings, writeFollowedSettings } from './followed-settings.ts';
export { InvalidSetting } from './invalid-setting.ts';
export { readConfig } from './read-config.ts';
export { SETTINGS, type StationConfig } from './settings.ts';
