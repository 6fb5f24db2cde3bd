import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../../server/commands/index.ts';
import { devicePorts, readConfig } from '../../../server/config/index.ts';
import { SETTINGS } from '../../../server/config/settings.ts';
import { NATS_PROGRAM } from '../../support/nats-servers.ts';

const FOLDER = new URL('../../../resources/deploy/', import.meta.url).pathname;
const KUBERNETES = `${FOLDER}kubernetes`;
const KUBECTL = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].find((path) => existsSync(path));

/** A container of ours, however it is written down. */
interface Container {
  readonly name: string;
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
  readonly probes: readonly { readonly path: string; readonly port: number }[];
}

interface ComposeFile {
  readonly services: Record<
    string,
    { image: string; command: string[]; environment: Record<string, string>; ports?: string[]; volumes?: string[] }
  >;
  readonly volumes: Record<string, unknown>;
}

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: { readonly spec: { readonly containers: readonly KubernetesContainer[] } };
    readonly selector?: { readonly app?: string };
    readonly ports?: readonly { readonly targetPort?: string }[];
  };
}

interface KubernetesContainer {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

const read = (name: string) => readFileSync(FOLDER + name, 'utf8');
const compose = parse(read('compose.yaml'), { merge: true }) as ComposeFile;
const objects = ['nats', 'gateway', 'maps', 'station'].flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}.yaml`)).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as KubernetesObject;
  }),
);

const inCompose = Object.entries(compose.services)
  .filter(([, { image }]) => image === 'waypost')
  .map(([name, { command, environment, ports = [] }]): Container => {
    return { name, words: command, environment, ports: ports.map((port) => Number(port.split(':')[1])), probes: [] };
  });
const inKubernetes = objects
  .flatMap(({ spec }) => spec.template?.spec.containers ?? [])
  .filter(({ image }) => image === 'waypost')
  .map(({ name, args, env, ports, livenessProbe, readinessProbe }): Container => {
    const numberOf = (port: string) => ports.find((one) => one.name === port)?.containerPort ?? NaN;
    return {
      name,
      words: args,
      environment: Object.fromEntries(env.map((one) => [one.name, one.value ?? ''])),
      ports: ports.map(({ containerPort }) => containerPort),
      probes: [livenessProbe, readinessProbe].flatMap((probe) =>
        probe ? [{ path: probe.httpGet.path, port: numberOf(probe.httpGet.port) }] : [],
      ),
    };
  });
const containers = [...inCompose, ...inKubernetes];

test('both examples have two gateways, two map services and a station', () => {
  expect(inCompose.map(({ words }) => words.join(' ')).sort()).toEqual([
    'gateway',
    'gateway',
    'serve',
    'serve --role maps',
    'serve --role maps',
  ]);
  expect(inKubernetes.map(({ words }) => words.join(' '))).toEqual(['gateway', 'serve --role maps', 'serve']);
});

test('their commands and settings are those of the program, and the ports are what it opens', () => {
  const variables: readonly (string | null | undefined)[] = Object.values(SETTINGS).map((setting) =>
    'environment' in setting ? setting.environment : undefined,
  );
  for (const { name, words, environment, ports } of containers) {
    const [command, ...flags] = words;
    expect(Object.keys(COMMANDS), name).toContain(command);
    expect(
      Object.keys(environment).filter((variable) => !variables.includes(variable)),
      name,
    ).toEqual([]);
    const config = readConfig(flags, { ...environment, WAYPOST_DATA: '/nowhere' });
    const trackers = Object.values(devicePorts(config)).filter((port) => port !== null);
    const open =
      command === 'gateway' ? [...trackers, config['gateway.port']] : [config.port, config['tlsPort'] ?? 8443];
    for (const port of ports) expect(open, name).toContain(port);
    expect(config.host).toBe('0.0.0.0');
    if (command === 'gateway') expect(trackers).not.toEqual([]);
    expect(config['nats.servers']).toHaveLength(config['nats.replicas']);
  }
});

test('probes ask what the program answers, at its port', () => {
  for (const { name, words, probes } of inKubernetes) {
    const paths = words.includes('gateway') || words.includes('maps') ? ['/health', '/ready'] : ['/health', '/health'];
    expect(
      probes.map(({ path }) => path),
      name,
    ).toEqual(paths);
    const expected = words.includes('gateway') ? 9480 : words.includes('maps') ? 8480 : 8443;
    expect(
      probes.map(({ port }) => port),
      name,
    ).toEqual([expected, expected]);
  }
});

test('servers, volumes and targets that are named are there', () => {
  for (const { environment } of inCompose)
    for (const server of (environment['WAYPOST_NATS_SERVERS'] ?? '').split(',').filter((one) => one !== ''))
      expect(Object.keys(compose.services)).toContain(new URL(server).hostname);
  const volumes = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  for (const name of volumes.map((volume) => volume.split(':')[0]!).filter((volume) => !volume.startsWith('.')))
    expect(Object.keys(compose.volumes)).toContain(name);
  const named = objects.flatMap(({ spec }) => spec.template?.spec.containers ?? []).flatMap(({ ports }) => ports);
  for (const { kind, spec } of objects)
    if (kind === 'Service')
      for (const { targetPort } of spec.ports ?? [])
        if (targetPort !== undefined) expect(named.map(({ name }) => name)).toContain(targetPort);
  expect(read('kubernetes/nats.conf')).toBe(read('nats.conf'));
});

test.skipIf(!NATS_PROGRAM)('nats-server reads its file', () => {
  const environment = Object.fromEntries([1, 2, 3].map((at) => [`NATS_ROUTE_${at}`, `nats://nats-${at}:6222`]));
  const { status, stderr } = spawnSync(NATS_PROGRAM!, ['-t', '--config', `${FOLDER}nats.conf`], {
    env: { ...environment, NATS_NAME: 'nats-1' },
    encoding: 'utf8',
  });
  expect(stderr).toContain('configuration file');
  expect(status).toBe(0);
});

test.skipIf(!KUBECTL)('kubectl builds all objects', () => {
  const { status, stdout, stderr } = spawnSync(KUBECTL!, ['kustomize', KUBERNETES], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const built = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  expect(built).toHaveLength(objects.length + 1);
  expect(built.find(({ kind }) => kind === 'ConfigMap')!.metadata.name).toMatch(/^nats-/);
});
