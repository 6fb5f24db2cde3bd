import { expect, test } from 'vitest';
import { fetch, FormData } from 'undici';
import { tryStation } from '../try-station.ts';

/** The shortest WAV: a header that promises no sample. */
const WAV = Buffer.from(
  'RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00',
  'latin1',
);

test('without ffmpeg a sound is kept and served as it is, and the record says so', async () => {
  const without = await tryStation({ ffmpeg: 'there-is-no-such-program' });
  const as = await without.signIn();
  try {
    const form = new FormData();
    form.set('file', new Blob([WAV]), 'a.wav');
    const { data } = (await (
      await fetch(`${without.station.address}/fileload?token=${as}`, { method: 'POST', body: form })
    ).json()) as { data: string[] };
    const { newsId } = (
      await without.ask('POST', '/news/', { as, body: { values: { title: 'x', news_type_id: 1 }, sounds: data } })
    ).json();
    const sounds = async () => (await without.ask('GET', `/news/${newsId}/sounds`, { as })).json();
    await expect.poll(async () => (await sounds()).sounds[0].conversion).toBe('unavailable');
    expect((await sounds()).sounds[0].conversion_note).toContain('no ffmpeg');
    expect((await sounds()).sounds_converted).toEqual([]);
    expect((await without.ask('GET', `/department_files/sounds/sounds_1_${newsId}_0.wav`, { as })).type).toMatch(
      /^audio\//,
    );
  } finally {
    await without.stop();
  }
});
