/** A file for the reply engine, with its extracted text. */
export interface FileContent {
  readonly name: string;
  readonly mimeType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Its text; empty for images and for what cannot be read. */
  readonly text: string;
  /** A sentence about what was not read; empty when nothing was omitted. */
  readonly omitted: string;
  /** Dimensions of an image in pixels. */
  readonly dimensions?: { readonly width: number; readonly height: number } | undefined;
}

/** Describes a file: `photo.png (image/png, 640×480 pixels, 1234 bytes)`. */
export function describeFile({ name, mimeType, size, dimensions }: FileContent): string {
  const pixels = dimensions === undefined ? '' : `${dimensions.width}×${dimensions.height} pixels, `;
  return `${name} (${mimeType}, ${pixels}${size} byte${size === 1 ? '' : 's'})`;
}
