import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const HEAD = `/**
 * The requests and answers of the interface, from /openapi.json. Generated: do not edit, run \`npm run api\`.
 */

`;

/** Parts that an operation does not have: half of the lines. */
const ABSENT =
  /^ +readonly (?:query|header|path|cookie|requestBody|get|put|post|delete|options|head|patch|trace)\?: never;\n/gm;

/** The types of an interface description, as the text of a declaration file. */
export async function schemaOf(description: object): Promise<string> {
  const text = astToString(
    await openapiTS(typesAlone(description) as OpenAPI3, { immutable: true, alphabetize: true }),
  );
  return HEAD + text.replace(ABSENT, '');
}

/** Without prose and error answers: they are two thirds of the text, and change without any type changing. */
function typesAlone(part: unknown, key?: string): unknown {
  if (Array.isArray(part)) return part.map((each) => typesAlone(each));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).filter(([name, value]) => {
    if (key === 'responses') return name === '200';
    if (name === 'application/x-www-form-urlencoded') return false;
    return typeof value !== 'string' || !['description', 'summary'].includes(name);
  });
  const kept = Object.fromEntries(entries.map(([name, value]) => [name, typesAlone(value, name)]));
  return key === '200' ? { ...kept, description: '' } : kept;
}
