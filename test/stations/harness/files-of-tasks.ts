import type { TestStation } from './test-station.ts';

/** Creates a task of the first type, with uploads attached. Gives its number. */
export async function createTask(station: TestStation, title: string, files: readonly string[] = []): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values, files })).newsId;
}

/** Uploads a file and attaches it to a new task. Gives the number of the task. */
export async function createTaskWithFile(
  station: TestStation,
  title: string,
  bytes: Buffer<ArrayBuffer>,
): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'plan.bin');
  const headers = { authorization: `Bearer ${station.token}` };
  const uploaded = await fetch(`${station.address}/fileload`, { method: 'POST', body: form, headers });
  const uuid = /[0-9a-f-]{36}\.\w+/.exec(await uploaded.text())![0];
  return createTask(station, title, [uuid]);
}

/** The first file of a task as the station serves it; undefined: it does not, yet. */
export async function fileOfTask(station: TestStation, id: number): Promise<Buffer | undefined> {
  const { files } = await station.ask<{ files: { file_name: string }[] }>('GET', `/news/${id}/files`);
  const path = `/department_files/dif_files/${files[0]!.file_name}`;
  const response = await fetch(station.address + path, { headers: { authorization: `Bearer ${station.token}` } });
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined;
}
