// Draws the program's icons from `resources/icons/icon.svg`: `node electron/build-icons.ts`. Their results
// are committed; this is run when the drawing changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

const icons = fileURLToPath(new URL('../resources/icons/', import.meta.url));
const svg = readFileSync(`${icons}icon.svg`, 'utf8');

const browser = await chromium.launch({
  executablePath: process.env.WAYPOST_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

async function draw(size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<style>html,body{margin:0;background:transparent}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
  );
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

/** Windows icon file: a directory of PNG pictures (allowed since Windows Vista). */
function icoOf(pictures: { size: number; png: Buffer }[]): Buffer {
  const directory = Buffer.alloc(6 + 16 * pictures.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  pictures.forEach(({ size, png }, i) => {
    const at = 6 + 16 * i;
    directory.writeUInt8(size % 256, at);
    directory.writeUInt8(size % 256, at + 1);
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(png.length, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)]);
}

writeFileSync(`${icons}icon.png`, await draw(512));
writeFileSync(`${icons}tray.png`, await draw(32));
writeFileSync(
  `${icons}icon.ico`,
  icoOf(await Promise.all([16, 32, 48, 256].map(async (size) => ({ size, png: await draw(size) })))),
);
await browser.close();
