import type { IdentityRules } from '../access/accounts/index.ts';
import { InvalidSetting, type StationConfig } from '../config/index.ts';
import {
  loadLdapDirectory,
  loadOpenIdProvider,
  type LdapDirectory,
  type OpenIdProvider,
} from '../access/identity/index.ts';
import type { Logger } from '../log/index.ts';

/** Providers and directories that sign people in besides the station, by its settings. */
export async function openIdentity(config: StationConfig, now: () => number, station: () => number, logger: Logger) {
  const report = (message: string, error: unknown) =>
    logger.warn(`${message} ${error instanceof Error ? error.message : String(error)}`);
  const rules: IdentityRules = {
    create: config['signIn.create'],
    link: config['signIn.link'],
    groups: config['signIn.groups'],
  };
  return {
    rules,
    provider: await providerOf(config, now, station, report),
    directory: await directoryOf(config, report),
  };
}

type Report = (message: string, error: unknown) => void;

async function providerOf(
  config: StationConfig,
  now: () => number,
  station: () => number,
  report: Report,
): Promise<OpenIdProvider | undefined> {
  const issuer = config['oidc.issuer'];
  if (issuer === null) return undefined;
  const clientId = config['oidc.clientId'];
  if (clientId === null) throw new InvalidSetting('oidc.issuer needs oidc.clientId.');
  const settings = {
    issuer,
    clientId,
    clientSecret: config['oidc.clientSecret'],
    name: config['oidc.name'],
    scopes: config['oidc.scopes'],
    loginClaim: config['oidc.loginClaim'],
    groupsClaim: config['oidc.groupsClaim'],
    acr: config['oidc.acr'],
    authority: config['oidc.authority'],
  };
  const OpenIdProvider = await loadOpenIdProvider();
  return withFiles('oidc.authority', () => new OpenIdProvider(settings, now, station, report));
}

async function directoryOf(config: StationConfig, report: Report): Promise<LdapDirectory | undefined> {
  const address = config['ldap.address'];
  if (address === null) return undefined;
  const [bindName, bindPassword, base] = [config['ldap.bindName'], config['ldap.bindPassword'], config['ldap.base']];
  if (bindName === null || bindPassword === null || base === null)
    throw new InvalidSetting('ldap.address needs ldap.bindName, ldap.bindPassword and ldap.base.');
  const startTls = config['ldap.startTls'];
  const url = new URL(address);
  if (url.protocol === 'ldap:' && !startTls && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
    throw new InvalidSetting('ldap.address must be ldaps://, or ldap.startTls must be on: passwords go there.');
  const settings = {
    ...{ address, startTls, bindName, bindPassword, base },
    authority: config['ldap.authority'],
    loginAttribute: config['ldap.loginAttribute'],
    idAttribute: config['ldap.idAttribute'],
    groups: config['ldap.groups'],
    groupBase: config['ldap.groupBase'] ?? base,
  };
  const LdapDirectory = await loadLdapDirectory();
  return withFiles('ldap.authority', () => new LdapDirectory(settings, report));
}

/** The error of an unreadable file names its setting. */
function withFiles<T>(setting: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new InvalidSetting(`${setting} cannot be read: ${(error as Error).message}`);
  }
}
