import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type AssetServiceService } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { consumeActionInputs } from './consume-action-inputs.ts';
import { deleteProjectFile } from './delete-project-file.ts';
import { getAsset } from './get-asset.ts';
import { keepGenerated } from './keep-generated.ts';
import { listActionInputs } from './list-action-inputs.ts';
import { listAssets } from './list-assets.ts';
import { listConversationAssets } from './list-conversation-assets.ts';
import { openDownload } from './open-download.ts';
import { readActionInput } from './read-action-input.ts';
import { registerArtifacts } from './register-artifacts.ts';
import { retryAsset } from './retry-asset.ts';
import { uploadActionInput } from './upload-action-input.ts';
import { uploadAttachment } from './upload-attachment.ts';
import { uploadProjectFile } from './upload-project-file.ts';

/** The handler of each RPC; each handler checks the permission of its caller. */
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
    uploadActionInput: (frames, call) => uploadActionInput(deps, frames, call),
    listActionInputs: (request, call) => listActionInputs(deps, request, call),
    consumeActionInputs: (request, call) => consumeActionInputs(deps, request, call),
    readActionInput: (request, call) => readActionInput(deps, request, call),
    keepGenerated: (frames, call) => keepGenerated(deps, frames, call),
  };
}
