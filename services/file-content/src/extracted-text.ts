/** The text extracted from a file, and a description of what is missing; '' when nothing is. */
export interface ExtractedText {
  text: string;
  omitted: string;
}

/** Statistics of reading a file: counted work, which is the same for the same file on every machine. */
export interface ReadingStats {
  /** Entries of an archive's directory. */
  entries: number;
  /** Entries of an archive that were opened. */
  parts: number;
  inflatedBytes: number;
  /** Tags, comments, attributes and pieces of text. */
  markup: number;
  /** Depth of the deepest XML element. */
  depth: number;
  /** Pages of a PDF. */
  pages: number;
}
