import { listEntryNames, findCentralDirectory } from './zip-directory.ts';

type OfficeKind = 'docx' | 'xlsx' | 'pptx';

/** The part that each kind of Office file must have. Office itself writes numbers as in `document2.xml`. */
const MAIN_PART = { docx: /^word\/document\d*\.xml$/, xlsx: /^xl\/workbook\d*\.xml$/, pptx: /^ppt\/presentation\d*\.xml$/ };
/** Folder of the parts of each kind, for a head that ends before the main part. */
const FOLDER = { docx: 'word/', xlsx: 'xl/', pptx: 'ppt/' };
const KINDS = ['docx', 'xlsx', 'pptx'] as const;
const MACROS = /(^|\/)vbaProject\.bin$/i;

/** Whether a file is a ZIP from its first byte on; with the whole file, its central directory is checked too. */
export function isZipFile(head: Uint8Array, whole: Uint8Array | undefined): boolean {
  const begins = head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
  return begins && (!whole || findCentralDirectory(whole) !== undefined);
}

/** Whether a file is an Office file of this kind and of no other, without macros. */
export function isOfficeFile(kind: OfficeKind, head: Uint8Array, whole: Uint8Array | undefined): boolean {
  if (!isZipFile(head, whole)) return false;
  const names = listEntryNames(head, whole);
  if (names.some((name) => MACROS.test(name))) return false;
  if (!whole) return kindOfHead(names) === kind;
  const found = KINDS.filter((each) => names.some((name) => MAIN_PART[each].test(name)));
  return found.length === 1 && found[0] === kind && names.includes('[Content_Types].xml');
}

/** Returns the kind by the first part: a sheet that is embedded in a document has its own parts further on. */
function kindOfHead(names: string[]): OfficeKind | undefined {
  for (const name of names) {
    const found = KINDS.find((each) => name.startsWith(FOLDER[each]));
    if (found) return found;
  }
  return undefined;
}

/** Whether a ZIP is appended at the end, where ZIP readers look first. */
export function hasAppendedZip(whole: Uint8Array): boolean {
  return findCentralDirectory(whole) !== undefined;
}
