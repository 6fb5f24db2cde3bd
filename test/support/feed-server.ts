import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FeedServer {
  readonly origin: string;
  /** Documents by path, such as `/all.xml`; a function answers by itself. */
  readonly documents: Map<string, string | ((request: IncomingMessage, response: ServerResponse) => void)>;
  /** Requests so far, with the status that was answered. */
  readonly asked: { readonly path: string; readonly status: number; readonly headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

/** A publisher of feeds: documents with validators, on loopback. */
export async function openFeedServer(): Promise<FeedServer> {
  const documents: FeedServer['documents'] = new Map();
  const asked: FeedServer['asked'] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    response.on('finish', () => asked.push({ path, status: response.statusCode, headers: request.headers }));
    const document = documents.get(path);
    if (document === undefined) return void response.writeHead(404).end('nothing here');
    if (typeof document === 'function') return document(request, response);
    const etag = `"${createHash('sha256').update(document).digest('hex').slice(0, 16)}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { 'Content-Type': 'application/xml', 'ETag': etag }).end(document);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
