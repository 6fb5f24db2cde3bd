import type { PDFDocumentProxy } from 'pdfjs-dist';

/**
 * Opens a PDF for drawing on canvases. The library is loaded with the first paper. Glyphs are drawn as
 * outlines, so that the page needs no fonts, and scripts in the paper do not run.
 */
export async function openPdf(bytes: ArrayBuffer): Promise<PDFDocumentProxy> {
  const [{ getDocument, GlobalWorkerOptions }, { default: worker }] = await Promise.all([
    import('pdfjs-dist'),
    import('pdfjs-dist/build/pdf.worker.min.mjs?url'),
  ]);
  GlobalWorkerOptions.workerSrc = worker;
  return getDocument({
    data: bytes.slice(0),
    disableFontFace: true,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
  }).promise;
}
