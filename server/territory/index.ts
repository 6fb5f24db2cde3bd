export { writePbf } from './formats/pbf-writer.ts';
export { ExtractBuilder } from './extract-builder.ts';
export { PackedExtract } from './packed-extract.ts';
export { readExtract } from './read-extract.ts';
