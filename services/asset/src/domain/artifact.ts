import { isUuid } from '@parley/kit/ids/uuid';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { GatewayError } from '@parley/protos/errors';
import { toSafeFileName } from './file-name.ts';

/** A validated artifact that can be stored. */
export interface StorableArtifact {
  id: string;
  assetType: 'image' | 'file' | 'audio';
  fileName: string;
  /** MIME type as declared by the upstream. */
  mimeType: string;
  connectionId: string;
  reference: string;
}

const TYPES: readonly string[] = ['image', 'file', 'audio'] satisfies StorableArtifact['assetType'][];

/** Validates artifacts of a message and returns them in the form that is stored. @throws VALIDATION_ERROR naming the invalid field */
export function parseArtifacts(artifacts: readonly Artifact[]): StorableArtifact[] {
  return artifacts.map(({ assetId, assetType, fileName, mimeType, connectionId, reference }) => {
    if (!isUuid(assetId)) throw invalidFieldError('artifacts.asset_id', 'is not a UUID');
    if (!TYPES.includes(assetType)) throw invalidFieldError('artifacts.asset_type', 'is unknown');
    if (connectionId === '' || reference === '') throw invalidFieldError('artifacts.reference', 'is empty');
    return {
      id: assetId.toLowerCase(),
      assetType: assetType as StorableArtifact['assetType'],
      fileName: toSafeFileName(fileName, assetType),
      mimeType: mimeType.slice(0, 200).replaceAll('\0', ''),
      connectionId,
      reference: reference.replaceAll('\0', ''),
    };
  });
}

/** Returns a UUID in lower case. @throws VALIDATION_ERROR naming the field */
export function requireUuid(param: string, value: string): string {
  if (!isUuid(value)) throw invalidFieldError(param, 'is not a UUID');
  return value.toLowerCase();
}

/** Returns the error of an invalid field of a request. */
export function invalidFieldError(param: string, what: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${what}`, { param });
}
