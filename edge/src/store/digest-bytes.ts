/** Converts a digest from base64, as caches and callers use it, to the bytes that are stored. */
export function toDigestBytes(digest: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(digest, 'base64'));
}
