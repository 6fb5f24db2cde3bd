import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaOf } from '../../../.ci/api-schema.ts';
import { pathsOf } from '../../../server/http/app/openapi.ts';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

let at: TryStation;
beforeAll(async () => {
  at = await tryStation();
});
afterAll(() => at.stop());

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}
interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

test('every path that is served is described, and nothing else', async () => {
  const description: Description = (await at.ask('GET', '/openapi.json')).json();
  expect(description.openapi).toBe('3.1.0');
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = at.station.http.routes.flatMap((route) =>
    pathsOf(route.path).map((path) => `${route.method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
  expect(served).toContain('GET /news/listAfterId/{newsAfterId}/{limit}');
  expect(served).toContain('GET /news/listAfterId/{newsAfterId}/{limit}/{confirmedType}');
});

test('the description is consistent: parameters match their paths, references resolve, schemas compile, ids are unique', async () => {
  const description: Description = (await at.ask('GET', '/openapi.json')).json();
  const ajv = new Ajv2020({ strict: false });
  ajv.addVocabulary(['components', 'paths']);
  ajv.addSchema({ $id: 'openapi', components: description.components });
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'path')
        .map((parameter) => parameter.name)
        .toSorted(),
      path,
    ).toEqual(inPath.toSorted());
    const schemas = [
      ...(operation.parameters ?? []).map((parameter) => parameter.schema),
      ...Object.values(operation.requestBody?.content ?? {}).map((content) => content.schema),
      ...Object.values(operation.responses).flatMap((response) =>
        Object.values(response.content ?? {}).map((content) => content.schema),
      ),
    ];
    for (const schema of schemas) {
      const linked = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')) as object;
      expect(() => ajv.compile(linked), `${path} ${JSON.stringify(schema)}`).not.toThrow();
    }
    expect(operation.summary.length).toBeGreaterThan(3);
    expect(operation.responses).toHaveProperty('200');
  }
  const names = operations.map(({ operation }) => operation.operationId);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the described limits of requests are enforced', async () => {
  const description: Description = (await at.ask('GET', '/openapi.json')).json();
  const limit = description.paths['/log/app']!['get']!.parameters!.find((parameter) => parameter.name === 'limit');
  expect(limit).toMatchObject({ in: 'query', required: false, schema: { type: 'integer', minimum: 0 } });
  expect((await at.ask('GET', '/log/app?limit=-1', { as: await at.signIn() })).status).toBe(400);
  const login = description.paths['/auth/login']!['post']!.requestBody!.content['application/json']!.schema;
  expect(login).toMatchObject({ type: 'object', required: ['login', 'password'] });
});

test('the HTML page shows every path, loads nothing from elsewhere and runs no script', async () => {
  const page = await at.ask('GET', '/docs');
  expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' });
  for (const route of at.station.http.routes)
    for (const path of pathsOf(route.path))
      expect(page.text).toContain(`<code>${path.replace(/:(\w+)/g, '{$1}')}</code>`);
  expect(page.text).not.toMatch(/<script|https?:\/\/|<link/);
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
});

test('the types of the console are those of this description (npm run api writes them)', async () => {
  const description: object = (await at.ask('GET', '/openapi.json')).json();
  const written = readFileSync(new URL('../../../renderer/src/lib/api/schema.d.ts', import.meta.url), 'utf8');
  // Compared as a whole: a difference of two long texts takes minutes to print.
  expect((await schemaOf(description)) === written, 'run npm run api').toBe(true);
});

test('an address that cannot be decoded is refused in the form of its route', async () => {
  const token = at.station.accounts.grantControl();
  const formOf = (text: string, type: string | null): string => {
    if (type?.startsWith('text/plain')) return 'text';
    if (type?.startsWith('text/xml') && text.includes('<errors>')) return 'list';
    if (!type?.startsWith('application/json')) return String(type);
    const answer = JSON.parse(text) as object;
    return Array.isArray(answer) ? 'list' : 'res' in answer ? 'res' : 'status' in answer ? 'status' : text;
  };
  const forms = { A: 'res', B: 'text', C: 'status', station: 'text', open311: 'list', odata: 'error' };
  const found: string[] = [];
  const declared: string[] = [];
  for (const { method, path, family } of at.station.http.routes)
    for (const one of pathsOf(path).filter((each) => each.includes(':'))) {
      const { status, type, text } = await at.ask(method, one.replace(/:\w+/g, '%zz'), { as: token });
      found.push(`${method} ${one} ${status} ${formOf(text, type)}`);
      declared.push(`${method} ${one} 400 ${forms[family]}`);
    }
  expect(found).toEqual(declared);
});
