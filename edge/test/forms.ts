/** A form with one file. */
export function form(content: string | Uint8Array<ArrayBuffer> = 'hello', name = 'notes.txt', field = 'file'): FormData {
  const data = new FormData();
  data.append(field, new Blob([content], { type: 'text/plain' }), name);
  return data;
}

/** A part of a form as it travels: its headers, and what it holds. */
export interface Part {
  headers: string;
  content: string | Buffer;
}

/** What `rawForm` puts between parts. */
export const BOUNDARY = 'boundary-of-a-test';

/** A part that is a file. */
export function filePart(content: string | Buffer, name = 'notes.txt', field = 'file'): Part {
  return { headers: `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/plain`, content };
}

/** A part that is a field. */
export function fieldPart(field: string, content: string): Part {
  return { headers: `Content-Disposition: form-data; name="${field}"`, content };
}

/** The bytes of a form, for what FormData would not write. */
export function rawForm(...parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ headers, content }) => [`--${BOUNDARY}\r\n${headers}\r\n\r\n`, content, '\r\n']);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}
