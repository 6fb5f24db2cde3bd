import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The words of a PDF as a reader finds them, page after page, with one space between. */
export async function textOfPaper(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const paper = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= paper.numPages; number++)
    texts.push(
      ...(await (await paper.getPage(number)).getTextContent()).items.map((item) => ('str' in item ? item.str : '')),
    );
  await paper.loadingTask.destroy();
  return texts.join(' ').replaceAll(/\s+/g, ' ');
}
