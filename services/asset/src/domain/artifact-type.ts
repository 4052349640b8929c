import {
  findExtension as extensionFor,
  identifyGeneratedFileType,
  measureImage,
  findMimeType,
} from '@parley/file-content/identify-file-type';
import { isCompleteImage } from '@parley/file-content/is-complete-image';
import { readExtension } from './file-name.ts';

/** The type of a generated file, by its content. */
export interface DetectedArtifact {
  mimeType: string;
  /** File name, with the extension of its type. */
  fileName: string;
  width: number | null;
  height: number | null;
}

/** The declared type and name of a generated file. */
export interface DeclaredArtifact {
  assetType: string;
  fileName: string;
  /** MIME type as declared by the upstream. */
  mimeType: string;
}

const IMAGES = ['png', 'jpg', 'gif', 'webp'];
const ANY = 'application/octet-stream';

/**
 * Detects the type of a generated file by its content. An image may have any name; any other file must match the type of its name, and a
 * file of an unknown type is passed on as bytes. Undefined when the content does not match, or is incomplete.
 */
export function detectArtifactType(claim: DeclaredArtifact, head: Buffer, whole: Buffer | undefined): DetectedArtifact | undefined {
  if (claim.assetType === 'image') return typeOfImage(claim.fileName, head, whole);
  const promised = findMimeType(claim.fileName) === undefined ? extensionFor(claim.mimeType) : undefined;
  const fileName = promised === undefined ? claim.fileName : `${claim.fileName}.${promised}`;
  const type = identifyGeneratedFileType(head, fileName, whole);
  if (claim.assetType === 'audio' && type?.kind !== 'audio') return undefined;
  if (type?.kind === 'image') return typeOfImage(fileName, head, whole);
  if (!type && findMimeType(fileName) !== undefined) return undefined;
  return { mimeType: type?.mimeType ?? ANY, fileName, width: null, height: null };
}

function typeOfImage(name: string, head: Buffer, whole: Buffer | undefined): DetectedArtifact | undefined {
  const extension = IMAGES.find((candidate) => identifyGeneratedFileType(head, `image.${candidate}`, whole));
  const size = extension && measureImage(whole ?? head);
  // An upstream that announces fewer bytes than it has truncates images, and nothing else detects it.
  if (!size || (whole && !isCompleteImage(whole))) return undefined;
  const mimeType = findMimeType(`image.${extension}`) ?? ANY;
  return { mimeType, fileName: findMimeType(name) === mimeType ? name : renamed(name, extension), ...size };
}

/** Replaces the extension of a known type, or appends one. */
function renamed(name: string, extension: string): string {
  const stem = findMimeType(name) === undefined ? name : name.slice(0, -readExtension(name).length);
  return `${stem}.${extension}`;
}
