import { z } from 'zod';
import { createHash } from 'node:crypto';
import { isSchema } from './app.ts';
import { groupOf, openApiOf, pathsOf } from './openapi.ts';
import { route } from './route.ts';
import type { DeclaredRoute } from './route.ts';

/** `/openapi.json` and `/docs`, which describe all routes and themselves. */
export function documentationRoutes(others: readonly DeclaredRoute[], version: string): DeclaredRoute[] {
  let description: string | undefined;
  let page: string | undefined;
  const routes: DeclaredRoute[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'This interface as OpenAPI 3.1',
      answer: { type: 'application/json; charset=utf-8' },
      run: () => (description ??= JSON.stringify(openApiOf([...others, ...routes], version))),
    }),
    route({
      method: 'GET',
      path: '/docs',
      family: 'station',
      group: 'station',
      access: 'open',
      summary: 'This interface as a readable page',
      answer: { type: 'text/html; charset=utf-8' },
      run: ({ response }) => {
        response.set(
          'Content-Security-Policy',
          `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        );
        return (page ??= pageOf([...others, ...routes], version));
      },
    }),
  ];
  return routes;
}

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae1, #333b47); --soft: light-dark(#f3f5f8, #1b2129); --dim: light-dark(#56606e, #9aa5b4); }
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1rem 6rem; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #12161c); color: light-dark(#1b222c, #dfe5ec); }
h1 { margin: 0; } h2 { margin: 3rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
nav { columns: 12rem; margin: 1rem 0 2rem; } nav a { display: block; color: inherit; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; } details[open] { background: var(--soft); }
summary { cursor: pointer; padding: .5rem .75rem; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.body { padding: 0 .75rem .75rem; }
code { font: .92em ui-monospace, monospace; } .method { font-weight: 700; min-width: 4rem; } .what { color: var(--dim); }
.who { margin-left: auto; color: var(--dim); font-size: .85em; }
table { border-collapse: collapse; width: 100%; margin: .25rem 0 1rem; } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-top: 1px solid var(--line); } th { font-weight: 600; border: 0; color: var(--dim); }
h3 { font-size: 1em; margin: .75rem 0 0; }
`;

function pageOf(routes: readonly DeclaredRoute[], version: string): string {
  const groups = Map.groupBy(routes, groupOf);
  const names = [...groups.keys()].sort();
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Waypost interface</title><style>${STYLE}</style></head><body>
<h1>Waypost interface</h1>
<p>Version ${escape(version)}. Every request that needs a token takes it as the query parameter <code>token</code>, as <code>Authorization: Bearer</code>, or from the console’s cookie.
Programs find the same as <a href="/openapi.json">OpenAPI 3.1</a>. Errors 401, 403, 404 and 500 are plain text; a 400 says what is wrong and names the field: in area A as <code>{res: 0, resText}</code>, in area C as <code>{status, status_message}</code>, elsewhere as plain text.</p>
<nav>${names.map((name) => `<a href="#${escape(name)}">${escape(name)}</a>`).join('')}</nav>
${names.map((name) => `<h2 id="${escape(name)}">${escape(name)}</h2>${groups.get(name)!.map(sectionOf).join('')}`).join('')}
</body></html>`;
}

function sectionOf(route: DeclaredRoute): string {
  const path = pathsOf(route.path)
    .map((each) => `<code>${escape(each.replace(/:(\w+)/g, '{$1}'))}</code>`)
    .join(' ');
  const parts = [
    route.description ? `<p>${words(route.description)}</p>` : '',
    tableOf('In the address', route.params),
    tableOf('Query', route.query),
    tableOf('Body', route.body),
    answerOf(route),
  ];
  return `<details><summary><code class="method">${route.method}</code>${path}<span class="what">${words(route.summary)}</span><span class="who">${accessText(route)}</span></summary><div class="body">${parts.join('')}</div></details>`;
}

function accessText({ access }: DeclaredRoute): string {
  if (access === 'open') return 'open';
  if (access === 'user') return 'signed in';
  if (access === 'crew') return 'telephone of a crew';
  if (access === 'superuser') return 'administrator of every organisation';
  return access === 'admin' ? 'administrator' : `key: ${access.scope}`;
}

function answerOf(route: DeclaredRoute): string {
  const { answer } = route;
  if (answer === 'nothing') return '<h3>Answer</h3><p>200 without a body.</p>';
  if (!isSchema(answer)) return `<h3>Answer</h3><p><code>${escape(answer.type)}</code></p>`;
  return tableOf(route.family === 'A' && !route.bare ? 'Answer, beside res and resText' : 'Answer', answer);
}

interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

function tableOf(title: string, schema: z.ZodType | undefined): string {
  if (!schema) return '';
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as JsonSchema;
  const rows = rowsOf(resolve(shape, shape), '', shape, 0);
  if (rows.length === 0) return `<h3>${escape(title)}</h3><p><code>${escape(typeOf(shape, shape))}</code></p>`;
  return `<h3>${escape(title)}</h3><table><tr><th>Field</th><th>Type</th><th></th></tr>${rows.join('')}</table>`;
}

/** One row for each field; nested fields carry their parent's name. */
function rowsOf(shape: JsonSchema, prefix: string, root: JsonSchema, depth: number): string[] {
  if (depth > 6) return [];
  if (shape.items && !shape.properties) return rowsOf(resolve(shape.items, root), `${prefix}[]`, root, depth + 1);
  return Object.entries(shape.properties ?? {}).flatMap(([name, unresolved]) => {
    const property = resolve(unresolved, root);
    const path = prefix ? `${prefix}.${name}` : name;
    const mark = shape.required?.includes(name) ? 'required' : '';
    const row = `<tr><td><code>${escape(path)}</code></td><td><code>${escape(typeOf(property, root))}</code></td><td>${[mark, property.description && words(property.description)].filter(Boolean).join('; ')}</td></tr>`;
    return [row, ...rowsOf(property, path, root, depth + 1)];
  });
}

function resolve(shape: JsonSchema, root: JsonSchema): JsonSchema {
  const name = shape.$ref?.split('/').at(-1);
  const found = name === undefined ? undefined : name === '#' ? root : root.$defs?.[name];
  return found ?? shape;
}

function typeOf(unresolved: JsonSchema, root: JsonSchema): string {
  const shape = resolve(unresolved, root);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.items) return `array of ${typeOf(shape.items, root)}`;
  const range =
    shape.minimum !== undefined && shape.maximum !== undefined && Math.abs(shape.minimum) < 1e9 && shape.maximum < 1e9
      ? ` ${shape.minimum} to ${shape.maximum}`
      : '';
  if (shape.type)
    return (
      [shape.type].flat().join(' or ') +
      (range || (shape.maxLength !== undefined ? `, at most ${shape.maxLength} characters` : ''))
    );
  const either = shape.anyOf ?? shape.oneOf;
  return either ? [...new Set(either.map((part) => typeOf(part, root)))].join(' or ') : 'any';
}

function words(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
