import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../../../../../server/http/listener/make-certificate.ts';
import { HistorianConnection, reasonAway } from '../../../../../server/tracking/telemetry/historian/connection.ts';
import { HistorianQuestions } from '../../../../../server/tracking/telemetry/historian/questions.ts';
import { prepareSchema } from '../../../../../server/tracking/telemetry/historian/schema.ts';
import { HAS_POSTGRES, Postgres } from '../../../../support/postgres.ts';
import { temporary } from '../months/fill.ts';

describe.skipIf(!HAS_POSTGRES)('a historian behind TLS (skipped where PostgreSQL is not installed)', () => {
  const certificate = makeCertificate(['localhost', 'db.example'], Date.now());
  let server: Postgres;
  beforeAll(async () => {
    server = await Postgres.start();
    await server.stop();
    server.useTls(certificate);
    await server.start();
  }, 60_000);
  afterAll(() => server.close());

  /** The address with this authority in a file; undefined: without TLS. */
  function addressWith(authority: string | undefined, host = 'localhost'): string {
    const plain = `postgres://station@${host}:${server.port}/postgres`;
    if (authority === undefined) return plain;
    const file = join(temporary(), 'authority.pem');
    writeFileSync(file, authority);
    return `${plain}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
  }

  function connect(url: string): HistorianConnection {
    const connection = new HistorianConnection({ url, owner: 'a' }, 10_000, (client) => prepareSchema(client, 'a'));
    onTestFinished(() => connection.close());
    return connection;
  }
  const refusalOf = (url: string) =>
    connect(url)
      .rows('SELECT 1')
      .then(() => 'none', reasonAway);

  test('the right authority is accepted, and the connection is encrypted', async () => {
    const url = addressWith(certificate.cert);
    const encrypted = 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const [row] = await connect(url).rows<{ ssl: boolean; version: string }>(encrypted);
    expect(row).toEqual({ ssl: true, version: 'TLSv1.3' });
    // Threads that read tracks have a connection of their own.
    const questions = new HistorianQuestions({ url, owner: 'a' });
    onTestFinished(() => questions.close());
    expect(questions.ask({ text: encrypted, values: [] })).toEqual([row]);
  });

  test('another authority, another name and no TLS are refused in words', async () => {
    const other = makeCertificate(['localhost'], Date.now());
    expect(await refusalOf(addressWith(other.cert))).toBe('its certificate is not from the authority in sslrootcert');
    expect(await refusalOf(`${addressWith(undefined)}?sslmode=verify-full`)).toBe(
      'its certificate is not from the authority in sslrootcert',
    );
    const ofOther = makeCertificate(['other.example'], Date.now());
    await server.stop();
    server.useTls(ofOther);
    await server.start();
    expect(await refusalOf(addressWith(ofOther.cert))).toBe('its certificate is for another name');
    expect(await refusalOf(addressWith(undefined))).toContain('no encryption');
    expect(await refusalOf(`${addressWith(undefined)}?sslmode=verify-full&sslrootcert=/nowhere.pem`)).toContain(
      '/nowhere.pem',
    );
    const questions = new HistorianQuestions({ url: addressWith(other.cert), owner: 'a' });
    onTestFinished(() => questions.close());
    expect(() => questions.ask({ text: 'SELECT 1', values: [] })).toThrow(
      'its certificate is not from the authority in sslrootcert',
    );
  });
});
