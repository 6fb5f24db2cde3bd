import { reasonOfHeaders } from '../../../../shared/refusals/headers.ts';
import { ApiError } from './client.ts';

/**
 * Uploads a file and returns its name at the station. `onProgress` gets the share that has been sent, 0 to 1,
 * which `fetch` does not report. Rejects with ApiError; an aborted upload rejects with the signal's reason.
 */
export function uploadFile(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const request = new XMLHttpRequest();
    const form = new FormData();
    form.append('name', file.name);
    form.append('file', file, file.name);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.upload.addEventListener('progress', (event) =>
      onProgress(event.lengthComputable && event.total > 0 ? event.loaded / event.total : 0),
    );
    request.addEventListener('load', () => {
      if (request.status !== 200)
        return reject(
          new ApiError(
            request.status,
            request.responseText || String(request.status),
            reasonOfHeaders((name) => request.getResponseHeader(name)),
          ),
        );
      const { data } = JSON.parse(request.responseText) as { data: string[] };
      resolve(data[0]!);
    });
    request.addEventListener('error', () => reject(new ApiError(0, '')));
    request.addEventListener('abort', () => reject(signal.reason as Error));
    request.open('POST', '/fileload');
    request.send(form);
  });
}
