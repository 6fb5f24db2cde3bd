import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../../server/commands/index.ts';
import { devicePorts, readConfig } from '../../../server/config/index.ts';
import { SETTINGS } from '../../../server/config/settings.ts';
import { NATS_PROGRAM } from '../../support/nats-servers.ts';

const FOLDER = new URL('../../../resources/deploy/', import.meta.url).pathname;
const KUBERNETES = `${FOLDER}kubernetes`;
const KUBECTL = ['/usr/bin/kubectl', '/usr/local/bin/kubectl'].find((path) => existsSync(path));

/** What a template of the chart takes from its values. */
const ACTION = /\{\{ \.Values\.([\w.]+) \}\}/g;

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
    {
      image: string;
      command: string[];
      environment: Record<string, string>;
      ports?: string[];
      volumes?: string[];
      networks?: unknown;
    }
  >;
  readonly volumes: Record<string, unknown>;
}

interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template?: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly KubernetesContainer[] };
    };
    readonly replicas?: number;
    readonly selector?: { readonly app?: string; readonly matchLabels?: { readonly app: string } };
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
const objects = ['nats', 'gateway', 'worker', 'maps', 'station', 'consoles'].flatMap((name) =>
  objectsOf(read(`kubernetes/${name}.yaml`)),
);
const values = parse(read('helm/values.yaml')) as Record<string, unknown>;
const templates = readdirSync(`${FOLDER}helm/templates`).map((name) => read(`helm/templates/${name}`));
const charted = templates.flatMap((text) => objectsOf(rendered(text)));

function objectsOf(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return { spec: {}, ...(document.toJS() as Omit<KubernetesObject, 'spec'>) };
  });
}

/** The template as Helm renders it: this one has values of `values.yaml` alone, and no other action. */
function rendered(template: string): string {
  return template.replaceAll(ACTION, (_action, path: string) => {
    const value = valueAt(path);
    expect(['string', 'number'], path).toContain(typeof value);
    return String(value);
  });
}

function valueAt(path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values);
}

const inCompose = Object.entries(compose.services)
  .filter(([, { image }]) => image === 'waypost')
  .map(([name, { command, environment, ports = [] }]): Container => {
    return { name, words: command, environment, ports: ports.map((port) => Number(port.split(':')[1])), probes: [] };
  });
const inKubernetes = containersOf(objects);
const inChart = containersOf(charted);

function containersOf(all: readonly KubernetesObject[]): Container[] {
  return all
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
}
const containers = [...inCompose, ...inKubernetes, ...inChart];

test('all examples have two gateways, event workers, map services and console servers each, and a station', () => {
  expect(inCompose.map(({ words }) => words.join(' ')).sort()).toEqual([
    'gateway',
    'gateway',
    'serve',
    'serve --role consoles',
    'serve --role consoles',
    'serve --role maps',
    'serve --role maps',
    'worker events',
    'worker events',
  ]);
  for (const all of [inKubernetes, inChart])
    expect(all.map(({ words }) => words.join(' ')).sort()).toEqual([
      'gateway',
      'serve',
      'serve --role consoles',
      'serve --role maps',
      'worker events',
    ]);
  for (const [name, replicas] of Object.entries({ gateway: 2, worker: 2, maps: 2, consoles: 2, nats: 3 }))
    for (const all of [objects, charted])
      expect(all.find(({ metadata, spec }) => metadata.name === name && spec.template)?.spec.replicas, name).toBe(
        replicas,
      );
});

test('the chart has no action but values, uses each of them, and is otherwise what kubectl applies', () => {
  const text = templates.join();
  expect(text.replaceAll(ACTION, '')).not.toContain('{{');
  const used = new Set([...text.matchAll(ACTION)].map(([, path]) => path));
  const pathsOf = (of: object, before = ''): string[] =>
    Object.entries(of).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? pathsOf(value, `${before}${name}.`) : [before + name],
    );
  expect([...used].sort()).toEqual(pathsOf(values).sort());
  const chart = parse(read('helm/Chart.yaml')) as Record<string, unknown>;
  expect(chart).toMatchObject({
    apiVersion: 'v2',
    name: expect.stringMatching(/^[a-z-]+$/),
    version: expect.any(String),
  });
  const configured = charted.find(({ kind }) => kind === 'ConfigMap') as { data?: Record<string, string> } | undefined;
  expect(configured?.data).toEqual({ 'nats.conf': read('nats.conf') });
});

test('console servers send changes to the station that is there, and it believes them', () => {
  for (const all of [inCompose, inKubernetes, inChart]) {
    const station = all.find(({ words }) => words.join(' ') === 'serve')!;
    for (const { environment } of all.filter(({ words }) => words.includes('consoles'))) {
      const number = station.environment['WAYPOST_STATION_NUMBER'];
      expect(environment['WAYPOST_CONSOLES_STATIONS']).toBe(`${number}=http://station-1:8480`);
      expect(station.environment['WAYPOST_TRUSTED_PROXIES']).toMatch(/^10\./);
    }
  }
  const trusted = inCompose.find(({ name }) => name === 'station-1')!.environment['WAYPOST_TRUSTED_PROXIES'];
  const addresses = Object.entries(compose.services)
    .filter(([name]) => name.startsWith('consoles'))
    .map(([, { networks }]) => (networks as { region: { ipv4_address: string } }).region.ipv4_address);
  expect(addresses.join(',')).toBe(trusted);
});

test('their commands and settings are those of the program, and the ports are what it opens', () => {
  const variables: readonly (string | null | undefined)[] = Object.values(SETTINGS).map((setting) =>
    'environment' in setting ? setting.environment : undefined,
  );
  for (const { name, words, environment, ports } of containers) {
    const [command, ...flags] = words;
    expect(Object.keys(COMMANDS), name).toContain(command);
    expect(
      Object.keys(environment).filter(
        // Others are parts of what follows them.
        (variable) => !variables.includes(variable) && !Object.values(environment).join().includes(`$(${variable})`),
      ),
      name,
    ).toEqual([]);
    const config = readConfig(command === 'worker' ? flags.slice(1) : flags, {
      ...environment,
      WAYPOST_DATA: '/nowhere',
    });
    const trackers = Object.values(devicePorts(config)).filter((port) => port !== null);
    const open = {
      gateway: [...trackers, config['gateway.port']],
      worker: [config['worker.port']],
      serve: [config.port, config['tlsPort'] ?? 8443],
    }[command as 'gateway' | 'worker' | 'serve'];
    for (const port of ports) expect(open, name).toContain(port);
    expect(config.host).toBe('0.0.0.0');
    if (command === 'gateway') expect(trackers).not.toEqual([]);
    expect(config['nats.servers']).toHaveLength(config['nats.replicas']);
  }
});

test('probes ask what the program answers, at its port', () => {
  for (const { name, words, probes } of [...inKubernetes, ...inChart]) {
    const paths = words.join(' ') === 'serve' ? ['/health', '/health'] : ['/health', '/ready'];
    expect(
      probes.map(({ path }) => path),
      name,
    ).toEqual(paths);
    const ofServe = words.includes('maps') ? 8480 : 8443;
    const expected = { gateway: 9480, worker: 9481, serve: ofServe }[words[0] as 'gateway' | 'worker' | 'serve'];
    expect(
      probes.map(({ port }) => port),
      name,
    ).toEqual([expected, expected]);
  }
});

test('Prometheus finds the programs that have no interface', () => {
  for (const all of [objects, charted])
    for (const name of ['gateway', 'worker']) {
      const template = all.find(({ metadata, spec }) => metadata.name === name && spec.template)!.spec.template!;
      const status = template.spec.containers[0]!.ports.find((port) => port.name === 'status')!;
      expect(template.metadata.annotations, name).toEqual({
        'prometheus.io/scrape': 'true',
        'prometheus.io/port': String(status.containerPort),
      });
    }
});

test('servers, volumes and targets that are named are there', () => {
  for (const { environment } of inCompose)
    for (const server of (environment['WAYPOST_NATS_SERVERS'] ?? '').split(',').filter((one) => one !== ''))
      expect(Object.keys(compose.services)).toContain(new URL(server).hostname);
  const volumes = Object.values(compose.services).flatMap((service) => service.volumes ?? []);
  for (const name of volumes.map((volume) => volume.split(':')[0]!).filter((volume) => !volume.startsWith('.')))
    expect(Object.keys(compose.volumes)).toContain(name);
  for (const all of [objects, charted])
    for (const { kind, metadata, spec } of all.filter((one) => one.kind === 'Service')) {
      const pods = all.filter(
        (one) => one.kind !== kind && one.spec?.selector?.matchLabels?.app === spec.selector?.app,
      );
      const ports = pods.flatMap((pod) => pod.spec.template?.spec.containers ?? []).flatMap((one) => one.ports);
      expect(ports, metadata.name).not.toEqual([]);
      for (const { targetPort } of spec.ports ?? [])
        if (targetPort !== undefined) expect(ports.map(({ name }) => name)).toContain(targetPort);
    }
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
