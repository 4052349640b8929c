import { ATTACHABLE_TYPES, type SupportedFileType } from '../file-types.ts';
import { findMimeType } from '../identify-file-type.ts';

/** Formats that a reader process can read. */
export type ReaderFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'zip';

/** Returns the reader of a MIME type, or of the type of the name's extension; undefined for a type without text. */
export function findReader(file: { name: string; mimeType: string }): ReaderFormat | 'text' | 'image' | undefined {
  const row = findRow(file.mimeType) ?? findRow(findMimeType(file.name) ?? '');
  if (row?.kind === 'image') return 'image';
  switch (row?.format) {
    case 'pdf':
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'zip':
      return row.format;
    case 'text':
    case 'json':
    case 'xml':
      return 'text';
    default:
      return undefined;
  }
}

function findRow(mimeType: string): SupportedFileType | undefined {
  const wanted = mimeType.split(';', 1)[0]?.trim().toLowerCase();
  return [...ATTACHABLE_TYPES.values()].find((row) => row.mimeType === wanted);
}
