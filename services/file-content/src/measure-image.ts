/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Maximum width and height in pixels; a header with more is damaged. */
const MAX_SIDE = 65_535;
/** Maximum number of segments before the frame of a JPEG; a photograph has about ten, with a large colour profile some hundred. */
const MAX_SEGMENTS = 1_024;
/** Markers in the range of SOF that are not frames: a Huffman table, an extension, arithmetic coding. */
const NO_FRAME: readonly number[] = [0xc4, 0xc8, 0xcc];
/** Markers of a JPEG's pixels and of its end: no frame follows them. */
const LAST_MARKERS: readonly number[] = [0xda, 0xd9];

/**
 * Returns the size in pixels of a PNG, JPEG, GIF or WebP as it is stored; undefined for anything else, and when the header is truncated.
 * Never throws. Reads fixed offsets, and of a JPEG at most 1,024 segments: it runs on the event loop, whatever the file contains (ADR
 * 0042).
 */
export function measureImage(bytes: Uint8Array): ImageSize | undefined {
  const image = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const size = sizeIn(image);
    return size && isSide(size.width) && isSide(size.height) ? size : undefined;
  } catch {
    // An offset is beyond the end of the bytes.
    return undefined;
  }
}

function sizeIn(image: Buffer): ImageSize | undefined {
  switch (image.toString('latin1', 0, 4)) {
    case '\x89PNG':
      return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
    case 'GIF8':
      return { width: image.readUInt16LE(6), height: image.readUInt16LE(8) };
    case 'RIFF':
      return sizeOfWebp(image);
    default:
      return image.readUInt16BE(0) === 0xffd8 ? sizeOfJpeg(image) : undefined;
  }
}

/** RFC 9649: one layout each for lossy, lossless and extended files. */
function sizeOfWebp(image: Buffer): ImageSize | undefined {
  switch (image.toString('latin1', 8, 16)) {
    case 'WEBPVP8 ':
      return { width: image.readUInt16LE(26) & 0x3fff, height: image.readUInt16LE(28) & 0x3fff };
    case 'WEBPVP8L': {
      const bits = image.readUInt32LE(21);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'WEBPVP8X':
      return { width: 1 + image.readUIntLE(24, 3), height: 1 + image.readUIntLE(27, 3) };
    default:
      return undefined;
  }
}

/** ITU-T T.81, annex B: from segment to segment until the frame. */
function sizeOfJpeg(image: Buffer): ImageSize | undefined {
  let at = 2;
  for (let segments = 0; segments < MAX_SEGMENTS; segments++) {
    if (image.readUInt8(at) !== 0xff) return undefined;
    const marker = image.readUInt8(at + 1);
    // A marker may begin with any number of fill bytes.
    if (marker === 0xff) at++;
    else if (LAST_MARKERS.includes(marker)) return undefined;
    else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.includes(marker))
      return { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) };
    else at += 2 + image.readUInt16BE(at + 2);
  }
  return undefined;
}

function isSide(pixels: number): boolean {
  return pixels > 0 && pixels <= MAX_SIDE;
}
