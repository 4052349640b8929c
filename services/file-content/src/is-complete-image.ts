const PNG_HEAD = 8;
/** Length, type and checksum of a PNG chunk. */
const PNG_FRAME = 12;
const RIFF_HEAD = 8;
/** Maximum number of bytes after the end of an image; programs that write images append a few. */
const TAIL = 4_096;
/** The type of the last chunk, `IEND`, as a number: a file may have hundreds of thousands of chunks. */
const PNG_END = 0x49454e44;
const JPEG_END = Buffer.from('ffd9', 'hex');
const GIF_END = 0x3b;

/**
 * Whether a PNG, JPEG, GIF or WebP is complete: it has its end, so it is not truncated. True for anything else. Reads only the structure.
 * Never throws.
 */
export function isCompleteImage(bytes: Uint8Array): boolean {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (image.toString('latin1', 0, 2) === '\xff\xd8') return image.subarray(-TAIL).includes(JPEG_END);
  switch (image.toString('latin1', 0, 4)) {
    case '\x89PNG':
      return hasLastChunk(image);
    case 'RIFF':
      return image.length >= RIFF_HEAD && image.length >= RIFF_HEAD + image.readUInt32LE(4);
    case 'GIF8':
      return image.subarray(-TAIL).includes(GIF_END);
    default:
      return true;
  }
}

/** Whether a PNG has its last chunk. Follows the chunks, as bytes that look like the last one may be inside another. */
function hasLastChunk(png: Buffer): boolean {
  for (let at = PNG_HEAD; at + PNG_FRAME <= png.length; at += PNG_FRAME + png.readUInt32BE(at)) {
    if (png.readUInt32BE(at + 4) === PNG_END) return true;
  }
  return false;
}
