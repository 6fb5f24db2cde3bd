import express from 'express';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { fetch } from 'undici';
import { serveFile } from '../../../../server/http/files/serve-file.ts';

/** The headers of a file of this kind. */
async function served(type: string): Promise<[string | null, string | undefined]> {
  const app = express();
  app.get(
    '/',
    (request, response) =>
      void serveFile(request, response, { tag: 'x', size: 1, type, name: 'x', read: () => Readable.from(['x']) })?.pipe(
        response,
      ),
  );
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  await new Promise((resolve) => server.once('listening', resolve));
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return [headers.get('content-type'), headers.get('content-disposition')?.split(';')[0]];
}

test.each([
  'text/html',
  'text/html; charset=utf-8',
  'image/svg+xml',
  'application/xhtml+xml',
  'application/pdf',
  'text/xml',
  'text/javascript',
  'application/octet-stream',
  'multipart/x-mixed-replace',
  '',
])('a file of the kind “%s” is a download, of which nothing is said', async (type) => {
  expect(await served(type)).toEqual(['application/octet-stream', 'attachment']);
});

test.each(['image/png', 'image/jpeg', 'image/heic', 'video/mp4', 'audio/mpeg', 'text/plain; charset=utf-8'])(
  'a file of the kind “%s” is shown as that',
  async (type) => {
    expect(await served(type)).toEqual([type, 'inline']);
  },
);
