import { disableTypes, imageSize, types } from 'image-size';

const MEASURED = new Set(['png', 'jpg', 'gif', 'webp']);
disableTypes(types.filter((type) => !MEASURED.has(type)));

/** Beyond what any of the formats can say, a header is damaged. */
const MAX_SIDE = 65_535;

/** Width and height in pixels of a PNG, JPEG, GIF or WebP as it is stored; undefined for anything else, and where the header is cut off. Never throws. */
export function measureImage(bytes: Uint8Array): { width: number; height: number } | undefined {
  try {
    // image-size reads past the end of a view into what lies behind it in its buffer.
    const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
    const { width, height } = imageSize(own);
    return isSide(width) && isSide(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

function isSide(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= MAX_SIDE;
}
