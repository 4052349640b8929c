/** File formats with a signature in their first bytes. */
export type SignatureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'pdf' | 'wav' | 'mp3' | 'flac' | 'opus';

/** Beginnings of a page, a script or a document: an image that contains one early is meant to be taken for it. */
const SECOND_FACE = /<script|<html|<!doctype html|<svg|<\?php/i;
/** PDF readers search for the header in this many bytes. */
const PDF_SEARCH = 1_024;

/** Whether the bytes begin with the signature of a format and contain no second format in their head. */
export function hasSignature(form: SignatureFormat, head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  switch (form) {
    case 'pdf':
      return /^(\u00ef\u00bb\u00bf)?\s{0,16}%PDF-\d\.\d/.test(bytes.toString('latin1', 0, 32));
    case 'png':
      return startsWith(bytes, 0, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR') && hasOneFace(bytes);
    case 'jpeg':
      return startsWith(bytes, 0, '\xff\xd8\xff') && at(bytes, 3) >= 0xc0 && at(bytes, 3) < 0xff && hasOneFace(bytes);
    case 'gif':
      return isGif(bytes) && hasOneFace(bytes);
    case 'webp':
      return startsWith(bytes, 0, 'RIFF') && /^WEBPVP8[ LX]$/.test(bytes.toString('latin1', 8, 16)) && hasOneFace(bytes);
    case 'wav':
      return startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WAVE');
    case 'mp3':
      return startsWith(bytes, 0, 'ID3') || isMp3Frame(bytes);
    case 'flac':
      return startsWith(bytes, 0, 'fLaC');
    case 'opus':
      // The first page of Ogg has one segment, so that its packet begins behind 28 bytes (RFC 7845, section 3).
      return startsWith(bytes, 0, 'OggS') && startsWith(bytes, 28, 'OpusHead');
  }
}

/** Whether bytes begin a GIF: after the signature and the size, a block must follow the colour table. */
function isGif(bytes: Buffer): boolean {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return false;
  const flags = at(bytes, 10);
  const table = flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
  return [0x21, 0x2c].includes(at(bytes, 13 + table));
}

/** Whether bytes begin with the header of an MPEG layer III frame, with a valid bit rate and sample rate. */
function isMp3Frame(bytes: Buffer): boolean {
  const rates = at(bytes, 2);
  return at(bytes, 0) === 0xff && (at(bytes, 1) & 0xe6) === 0xe2 && rates >> 4 !== 0x0f && (rates & 0x0c) !== 0x0c;
}

function hasOneFace(bytes: Buffer): boolean {
  return !SECOND_FACE.test(bytes.toString('latin1')) && !bytes.subarray(0, PDF_SEARCH).includes('%PDF-');
}

function startsWith(bytes: Buffer, offset: number, text: string): boolean {
  return bytes.toString('latin1', offset, offset + text.length) === text;
}

function at(bytes: Buffer, offset: number): number {
  return bytes[offset] ?? 0;
}
