import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type UploadProjectFileRequest } from '@parley/protos/asset/v1/asset';
import { type ProjectSource } from '@parley/protos/routing/v1/project';
import { type Deps } from '../deps.ts';
import { requireUuid } from '../domain/artifact.ts';
import { type StoredAsset } from '../domain/asset.ts';
import { openUpload } from '../upload/open-upload.ts';
import { storeUpload } from '../upload/store-upload.ts';
import { uploadToProvider } from '../upload/upload-to-provider.ts';

/**
 * Stores a file and uploads it to the provider's project. Checks that the project belongs to the caller before it reads the first byte.
 * @throws the errors of `storeUpload`, UPLOAD_FAILED, PROJECT_NOT_FOUND, UPSTREAM_ACCOUNT_NOT_AUTHORIZED and other errors of the provider
 */
export async function uploadProjectFile(deps: Deps, frames: AsyncIterable<UploadProjectFileRequest>, call: Call): Promise<ProjectSource> {
  const upload = await openUpload(frames);
  const { head, chunks } = upload;
  try {
    const projectId = requireUuid('project_id', head.projectId);
    await deps.routing.getProject({ projectId }, toDownstreamInit(call));
    const file = await storeUpload(deps, { id: uuidv7(), name: head.file?.fileName ?? '', chunks }, call);
    const { uploaded, asset } = await uploadToProvider(deps, file, { conversationId: null, projectId }, call);
    return { ...toProjectSource(asset, uploaded.fileId), ...uploaded.source, assetId: asset.id };
  } finally {
    upload.stop();
  }
}

/** Returns the fields of a source that this service knows. */
function toProjectSource({ fileName, mimeType, sizeBytes, createdAt }: StoredAsset, id: string): Omit<ProjectSource, 'assetId'> {
  return { id, sourceType: 'file', title: fileName, status: 'processing', mimeType, sizeBytes, createdAt };
}
