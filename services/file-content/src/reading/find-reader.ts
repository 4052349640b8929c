import { findMimeType } from '../identify.ts';
import { ATTACHABLE, type TypeRow } from '../file-types.ts';

/** Formats that a reader process can read. */
export type ProcessReader = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'zip';

/** Returns the reader of a MIME type, or of the type of the name's extension; undefined for a type without text. */
export function findReader(file: { name: string; mimeType: string }): ProcessReader | 'text' | 'image' | undefined {
  const row = findRow(file.mimeType) ?? findRow(findMimeType(file.name) ?? '');
  if (row?.kind === 'image') return 'image';
  switch (row?.form) {
    case 'pdf':
    case 'docx':
    case 'xlsx':
    case 'pptx':
    case 'zip':
      return row.form;
    case 'text':
    case 'json':
    case 'xml':
      return 'text';
    default:
      return undefined;
  }
}

function findRow(mimeType: string): TypeRow | undefined {
  const wanted = mimeType.split(';', 1)[0]?.trim().toLowerCase();
  return [...ATTACHABLE.values()].find((row) => row.mimeType === wanted);
}
