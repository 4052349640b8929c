/** A file as the reply engine sees it: what it is, and what it says. */
export interface FileContent {
  readonly name: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
  /** Its text; empty for images and for what cannot be read. */
  readonly text: string;
  /** What of it was not read, in a sentence; empty when nothing was left out. */
  readonly omitted: string;
  /** Of an image, in pixels. */
  readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
}

/** `photo.png (image/png, 640×480 pixels, 1234 bytes)`. */
export function described({ name, mimeType, size, dimensions }: FileContent): string {
  const pixels = dimensions === undefined ? '' : `${dimensions.width}×${dimensions.height} pixels, `;
  return `${name} (${mimeType}, ${pixels}${size} byte${size === 1 ? '' : 's'})`;
}
