/** The text of a file, and in plain words what of it is missing; '' when nothing is. */
export interface Extracted {
  text: string;
  omitted: string;
}

/** What reading a file has cost, counted: the same for the same file on every machine. */
export interface ReadingWork {
  /** Of an archive's directory. */
  entries: number;
  /** Entries that were opened. */
  parts: number;
  inflatedBytes: number;
  /** Tags, comments, attributes and pieces of text. */
  markup: number;
  /** Of the deepest XML element. */
  depth: number;
  /** Of a PDF. */
  pages: number;
}
