import { extensionOf as extensionFor, identifyArtifact, measureImage, findMimeType } from '@parley/file-content/identify';
import { isWholeImage } from '@parley/file-content/is-whole-image';
import { readExtension } from './file-name.ts';

/** What a generated file turned out to be. */
export interface ArtifactFacts {
  mimeType: string;
  /** With the extension of what it is. */
  fileName: string;
  width: number | null;
  height: number | null;
}

/** What is said of a generated file. */
export interface ArtifactClaim {
  assetType: string;
  fileName: string;
  /** By the upstream. */
  mimeType: string;
}

const IMAGES = ['png', 'jpg', 'gif', 'webp'];
const ANY = 'application/octet-stream';

/**
 * What the bytes are, decided by content. An image is one whatever its name says; any other file must be what its name promises, and one
 * that promises nothing we know is passed on as bytes. Undefined: it is not what it claims to be, or half of it.
 */
export function typeOfArtifact(claim: ArtifactClaim, head: Buffer, whole: Buffer | undefined): ArtifactFacts | undefined {
  if (claim.assetType === 'image') return typeOfImage(claim.fileName, head, whole);
  const promised = findMimeType(claim.fileName) === undefined ? extensionFor(claim.mimeType) : undefined;
  const fileName = promised === undefined ? claim.fileName : `${claim.fileName}.${promised}`;
  const type = identifyArtifact(head, fileName, whole);
  if (claim.assetType === 'audio' && type?.kind !== 'audio') return undefined;
  if (type?.kind === 'image') return typeOfImage(fileName, head, whole);
  if (!type && findMimeType(fileName) !== undefined) return undefined;
  return { mimeType: type?.mimeType ?? ANY, fileName, width: null, height: null };
}

function typeOfImage(name: string, head: Buffer, whole: Buffer | undefined): ArtifactFacts | undefined {
  const extension = IMAGES.find((candidate) => identifyArtifact(head, `image.${candidate}`, whole));
  const size = extension && measureImage(whole ?? head);
  // An upstream that announces fewer bytes than it has cuts its images off, and nothing else on the way shows it.
  if (!size || (whole && !isWholeImage(whole))) return undefined;
  const mimeType = findMimeType(`image.${extension}`) ?? ANY;
  return { mimeType, fileName: findMimeType(name) === mimeType ? name : renamed(name, extension), ...size };
}

/** Replaces the extension of a known type, or appends one. */
function renamed(name: string, extension: string): string {
  const stem = findMimeType(name) === undefined ? name : name.slice(0, -readExtension(name).length);
  return `${stem}.${extension}`;
}
