/**
 * Raised when the layout below changes: older territories must then be imported again. Optional tables and
 * columns (`bridge`, `square`, `milestone`, `name_in`, `area_in`, `document.ref`, `postcode`, `area_from`) do not
 * raise it.
 */
export const PLACES_VERSION = 1;

/**
 * The layout of places.db, written by `makePlaces` and read by `server/geo/geocoding`. Coordinates are whole
 * numbers of 1e-7 degrees. Documents are numbered by importance, so the first rows of any list are the most
 * important ones. Addresses follow.
 */
export const TABLES = `
  CREATE TABLE about(version INTEGER NOT NULL, west INTEGER NOT NULL, south INTEGER NOT NULL, east INTEGER NOT NULL, north INTEGER NOT NULL);

  -- A street, a place or an object. names: one a line, that on the signs first. area: "Sé, Porto", for labels.
  -- name_words: the folded names, one a line. area_words, sort_words: the folded words of what it lies in and of what it is.
  -- ref: the number on the sign of an object, as tagged. postcode: if all its houses have the same. area_from: what the area begins with, 0 a settlement, 1 a quarter, 2 a region.
  CREATE TABLE document(
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, sort TEXT NOT NULL, names TEXT NOT NULL, area TEXT NOT NULL,
    name_words TEXT NOT NULL, area_words TEXT NOT NULL, sort_words TEXT NOT NULL,
    lon INTEGER NOT NULL, lat INTEGER NOT NULL, zoom INTEGER NOT NULL, importance REAL NOT NULL, ref TEXT NOT NULL, postcode TEXT, area_from INTEGER NOT NULL);

  -- The same words once more, to search in; rowid is the document's id.
  CREATE VIRTUAL TABLE words USING fts5(name, area, sort, content='', detail=column, prefix='1 2 3', tokenize="unicode61 remove_diacritics 0");
  CREATE VIRTUAL TABLE document_box USING rtree_i32(id, west, east, south, north);

  -- Streets in pieces of a few points, so that the nearest is found quickly. points: int32 lon, lat, …; a piece begins where the one before it on its line ends.
  CREATE TABLE piece(id INTEGER PRIMARY KEY, document INTEGER NOT NULL, line INTEGER NOT NULL, points BLOB NOT NULL);
  CREATE VIRTUAL TABLE piece_box USING rtree_i32(id, west, east, south, north);

  -- number: as on the door. key: without spaces and capitals. low to high: the numbers it stands for ("12-16"). estimated: computed from an interpolation line. postcode: if it is not that of its document.
  CREATE TABLE address(
    id INTEGER PRIMARY KEY, document INTEGER NOT NULL, number TEXT NOT NULL, key TEXT NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
    lon INTEGER NOT NULL, lat INTEGER NOT NULL, estimated INTEGER NOT NULL, postcode TEXT);
  CREATE VIRTUAL TABLE address_box USING rtree_i32(id, west, east, south, north);

  -- Where streets a and b meet, a < b.
  CREATE TABLE corner(a INTEGER NOT NULL, b INTEGER NOT NULL, lon INTEGER NOT NULL, lat INTEGER NOT NULL, PRIMARY KEY(a, b, lon, lat)) WITHOUT ROWID;

  -- Roads on bridges, each in one line, with the bridge's own document or else that of its street.
  CREATE TABLE bridge(id INTEGER PRIMARY KEY, document INTEGER NOT NULL, points BLOB NOT NULL);
  CREATE VIRTUAL TABLE bridge_box USING rtree_i32(id, west, east, south, north);

  -- Squares that are drawn as surfaces, each in one closed line, with the document of the street.
  CREATE TABLE square(id INTEGER PRIMARY KEY, document INTEGER NOT NULL, points BLOB NOT NULL);
  CREATE VIRTUAL TABLE square_box USING rtree_i32(id, west, east, south, north);

  -- How far along its road a stone says one is.
  CREATE TABLE milestone(document INTEGER NOT NULL, metres INTEGER NOT NULL, lon INTEGER NOT NULL, lat INTEGER NOT NULL, PRIMARY KEY(document, metres, lon, lat)) WITHOUT ROWID;

  -- Names in other languages than on the signs, and the areas of labels in them.
  CREATE TABLE name_in(document INTEGER NOT NULL, language TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(document, language)) WITHOUT ROWID;
  CREATE TABLE area_in(area TEXT NOT NULL, language TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(area, language)) WITHOUT ROWID;

  -- Every word of names, with the number of documents that have it: what misspelt words are compared with.
  CREATE TABLE term(term TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
`;

/** Created after the rows, which is much faster. */
export const PLACE_INDEXES = `
  CREATE INDEX piece_document ON piece(document, id);
  CREATE INDEX address_document ON address(document, low);
  CREATE INDEX corner_b ON corner(b, a);
`;

/** With what the area of a document begins. */
export const AREA_FROM = { settlement: 0, quarter: 1, region: 2 } as const;
