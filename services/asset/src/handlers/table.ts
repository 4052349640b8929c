import type { Handlers } from '@parley/kit/rpc/server';
import type { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import type { Deps } from '../deps.ts';
import { deleteProjectFile } from './delete-project-file.ts';
import { getAsset } from './get-asset.ts';
import { listAssets } from './list-assets.ts';
import { listConversationAssets } from './list-conversation-assets.ts';
import { openDownload } from './open-download.ts';
import { registerArtifacts } from './register-artifacts.ts';
import { retryAsset } from './retry-asset.ts';
import { uploadAttachment } from './upload-attachment.ts';
import { uploadProjectFile } from './upload-project-file.ts';

const notYet = (): never => {
  throw new GatewayError('NOT_IMPLEMENTED', 'actions are not available yet');
};

/** The service's operations: what a caller may do, each handler checks by itself. */
export function handlerTable(deps: Deps): Handlers<typeof AssetServiceService> {
  return {
    uploadAttachment: (frames, call) => uploadAttachment(deps, frames, call),
    uploadProjectFile: (frames, call) => uploadProjectFile(deps, frames, call),
    deleteProjectFile: (request, call) => deleteProjectFile(deps, request, call),
    registerArtifacts: (request, call) => registerArtifacts(deps, request, call),
    getAsset: (request, call) => getAsset(deps, request, call),
    listAssets: (request, call) => listAssets(deps, request, call),
    listConversationAssets: (request, call) => listConversationAssets(deps, request, call),
    retryAsset: (request, call) => retryAsset(deps, request, call),
    openDownload: (request, call) => openDownload(deps, request, call),
    uploadActionInput: notYet,
    listActionInputs: notYet,
    consumeActionInputs: notYet,
    readActionInput: notYet,
  };
}
