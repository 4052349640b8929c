import { hasFormat } from './content/has-format.ts';
import { ATTACHABLE_TYPES, AUDIO_TYPES, type FileKind, type SupportedFileType } from './file-types.ts';

export { measureImage } from './measure-image.ts';
export { type FileKind } from './file-types.ts';

/** The type of a file; `extension` is lower case and without a dot. */
export interface FileType<Kind extends string = FileKind> {
  mimeType: string;
  kind: Kind;
  extension: string;
}

/** A type that can be attached, or audio. */
export type ArtifactType = FileType<FileKind | 'audio'>;

/**
 * Returns the type of an uploaded file when its extension and its content agree; else undefined, which is UNSUPPORTED_FILE_TYPE. Never
 * throws.
 * @param head the beginning: the first 64 KiB, or all of a smaller file
 * @param name as the client gave it; only its extension counts
 * @param whole the whole file, if available: the rest is then checked too
 */
export function identifyFileType(head: Uint8Array, name: string, whole?: Uint8Array): FileType | undefined {
  return agree(ATTACHABLE_TYPES.get(extensionIn(name)), head, name, whole);
}

/** As `identifyFileType`, for a file that an upstream or a speech engine generated, which may also be WAV, MP3, FLAC or Ogg Opus. */
export function identifyGeneratedFileType(head: Uint8Array, name: string, whole?: Uint8Array): ArtifactType | undefined {
  const extension = extensionIn(name);
  return agree<FileKind | 'audio'>(ATTACHABLE_TYPES.get(extension) ?? AUDIO_TYPES.get(extension), head, name, whole);
}

/** Returns the MIME type of a file name's extension; undefined for an unsupported one. `identifyFileType` checks the content. */
export function findMimeType(name: string): string | undefined {
  const extension = extensionIn(name);
  return (ATTACHABLE_TYPES.get(extension) ?? AUDIO_TYPES.get(extension))?.mimeType;
}

/**
 * Returns the extension, without a dot, under which a MIME type is saved; undefined for an unsupported one. Ignores parameters such as `;
 * charset=utf-8`.
 */
export function findExtension(mimeType: string): string | undefined {
  const wanted = mimeType.split(';', 1)[0]?.trim().toLowerCase();
  for (const [extension, row] of [...ATTACHABLE_TYPES, ...AUDIO_TYPES]) if (row.mimeType === wanted) return extension;
  return undefined;
}

function agree<Kind extends string>(
  row: SupportedFileType<Kind> | undefined,
  head: Uint8Array,
  name: string,
  whole: Uint8Array | undefined,
): FileType<Kind> | undefined {
  if (!row || head.length === 0 || !hasFormat(row.format, head, whole)) return undefined;
  return { mimeType: row.mimeType, kind: row.kind, extension: extensionIn(name) };
}

function extensionIn(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}
