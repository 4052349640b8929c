import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Attachment, type UploadAttachmentRequest } from '@parley/protos/asset/v1/asset';
import { type Deps } from '../deps.ts';
import { requireWriter } from '../domain/access.ts';
import { requireUuid } from '../domain/artifact.ts';
import { openUpload } from '../upload/open-upload.ts';
import { storeUpload } from '../upload/store-upload.ts';
import { uploadToProvider } from '../upload/upload-to-provider.ts';
import { toAsset } from './asset-view.ts';

/**
 * Stores a file and uploads it to the provider of a conversation. Checks the caller's write permission before it reads the first byte.
 * @throws the errors of `storeUpload`, UPLOAD_FAILED, CONVERSATION_NOT_FOUND, CONVERSATION_ACCESS_DENIED and the errors of the provider
 */
export async function uploadAttachment(deps: Deps, frames: AsyncIterable<UploadAttachmentRequest>, call: Call): Promise<Attachment> {
  const upload = await openUpload(frames);
  const { head, chunks } = upload;
  try {
    const conversationId = requireUuid('conversation_id', head.conversationId);
    requireWriter(await deps.conversation.getConversation({ conversationId }, toDownstreamInit(call)), call.caller);
    const file = await storeUpload(deps, { id: uuidv7(), name: head.file?.fileName ?? '', chunks }, call);
    const { uploaded, asset } = await uploadToProvider(deps, file, { conversationId, projectId: null }, call);
    return { fileId: uploaded.fileId, asset: toAsset(asset) };
  } finally {
    upload.stop();
  }
}
