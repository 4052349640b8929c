import { findMimeType } from '@parley/file-content/identify-file-type';
import { GatewayError } from '@parley/protos/errors';
import { type UpstreamArtifact } from '../upstream-turn.ts';
import { listContainerFileCitations, type OutputItem } from './wire.ts';

/** Where an artifact can be downloaded: an image from its response, any other file from its container. */
export type ArtifactLocation = { kind: 'image'; response: string; item: string } | { kind: 'container'; container: string; file: string };

/** The requested format of generated images. A PNG may be so large that its event exceeds the size limit. */
export const IMAGE_FORMAT = 'webp';

/** Returns the artifacts that an output item of an answer contains. */
export function listArtifacts(item: OutputItem, response: string): UpstreamArtifact[] {
  if (item.type === 'image_generation_call') {
    // A failed or refused call has no result.
    if (typeof item.result !== 'string' || item.result === '') return [];
    const reference = toReference({ kind: 'image', response, item: item.id });
    return [{ kind: 'image', name: `image.${IMAGE_FORMAT}`, mimeType: `image/${IMAGE_FORMAT}`, reference }];
  }
  return listContainerFileCitations(item).map(({ container_id: container, file_id: file, filename: name }) => {
    const mimeType = findMimeType(name) ?? 'application/octet-stream';
    return { kind: toKind(mimeType), name, mimeType, reference: toReference({ kind: 'container', container, file }) };
  });
}

function toKind(mimeType: string): UpstreamArtifact['kind'] {
  if (mimeType.startsWith('image/')) return 'image';
  return mimeType.startsWith('audio/') ? 'audio' : 'file';
}

function toReference(place: ArtifactLocation): string {
  return place.kind === 'image' ? `image:${place.response}:${place.item}` : `container:${place.container}:${place.file}`;
}

/** Parses the reference of an artifact. Throws ASSET_NOT_FOUND for a reference of another adapter. */
export function parseArtifactReference(reference: string): ArtifactLocation {
  const [kind, at, id, ...rest] = reference.split(':');
  if (at && id && rest.length === 0) {
    if (kind === 'image') return { kind, response: at, item: id };
    if (kind === 'container') return { kind, container: at, file: id };
  }
  throw new GatewayError('ASSET_NOT_FOUND', 'the account has made no such file');
}
