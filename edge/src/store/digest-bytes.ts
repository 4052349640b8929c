/** A digest in base64, as caches and callers know it, in the form in which it is stored. */
export function bytesOf(digest: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(digest, 'base64'));
}
