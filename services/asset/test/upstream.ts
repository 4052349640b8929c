import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { type Call } from '@parley/kit/rpc/call';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type FetchArtifactResponse, type UploadFileHead } from '@parley/protos/routing/v1/project';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';

/** How an artifact comes when it is fetched; `attempt` counts from 1. */
export type Script = (attempt: number, signal: AbortSignal) => AsyncIterable<FetchArtifactResponse>;

/** A file that was uploaded, as chat-routing has it. */
export interface UploadedUpstream {
  fileId: string;
  head: UploadFileHead;
  bytes: Buffer;
}

/** Scripted fakes of the services that asset calls, in this process. */
export class Upstream {
  /** By reference. */
  readonly artifacts = new Map<string, Script>();
  readonly fetches = new Map<string, number>();
  readonly callers: string[] = [];
  /** What came with the fetches. */
  readonly calls: { reference: string; requestId: string; traceparent: string }[] = [];
  readonly uploads: UploadedUpstream[] = [];
  readonly discarded: string[] = [];
  readonly deletedSources: string[] = [];
  /** What keeps uploads from being taken. */
  uploadFails: GatewayError | undefined;
  /** What keeps the next file from being discarded. */
  discardFails: GatewayError | undefined;
  /** Runs when an upload has been taken. */
  onUploaded: () => Promise<void> | void = () => undefined;
  /** By id: which workspace has them, and which role a user has in them. */
  readonly conversations = new Map<string, { workspaceId: string; roles: Record<string, string> }>();
  readonly projects = new Map<string, { workspaceId: string }>();

  /** Serves both contracts in process; methods that asset never calls do not exist. */
  async serve(log: Logger) {
    const conversation = { getConversation: this.#getConversation };
    const routing = {
      fetchArtifact: this.#fetchArtifact,
      uploadFile: this.#uploadFile,
      discardFile: this.#discardFile,
      getProject: this.#getProject,
      deleteProjectSource: this.#deleteProjectSource,
    };
    return {
      conversation: await serve(
        ConversationServiceService,
        conversation as unknown as Handlers<typeof ConversationServiceService>,
        'in-process',
        log,
      ),
      routing: await serve(ChatRoutingServiceService, routing as unknown as Handlers<typeof ChatRoutingServiceService>, 'in-process', log),
    };
  }

  #getConversation = async ({ conversationId }: { conversationId: string }, { caller }: Call) => {
    const found = this.conversations.get(conversationId);
    if (!found) throw new GatewayError('CONVERSATION_NOT_FOUND', 'the conversation does not exist');
    if (found.workspaceId !== caller.workspaceId) throw new GatewayError('CONVERSATION_ACCESS_DENIED', 'it belongs to another key');
    return { participants: Object.entries(found.roles).map(([userId, role]) => ({ userId, role })) };
  };

  #getProject = async ({ projectId }: { projectId: string }, { caller }: Call) => {
    const found = this.projects.get(projectId);
    if (found?.workspaceId !== caller.workspaceId) throw new GatewayError('PROJECT_NOT_FOUND', 'the project does not exist');
    return { id: projectId };
  };

  #fetchArtifact = ({ reference }: { reference: string }, call: Call): AsyncIterable<FetchArtifactResponse> => {
    const attempt = (this.fetches.get(reference) ?? 0) + 1;
    this.fetches.set(reference, attempt);
    this.callers.push(call.caller.workspaceId);
    this.calls.push({ reference, requestId: call.caller.requestId, traceparent: call.traceparent });
    const script = this.artifacts.get(reference);
    if (!script) throw new GatewayError('ASSET_NOT_FOUND', 'the provider has no such file');
    return script(attempt, call.signal);
  };

  #uploadFile = async (frames: AsyncIterable<{ frame?: { $case: string; value: unknown } }>, _call: Call) => {
    let head: UploadFileHead | undefined;
    const chunks: Buffer[] = [];
    for await (const { frame } of frames) {
      if (frame?.$case === 'head') head = frame.value as UploadFileHead;
      else chunks.push(Buffer.from(frame?.value as Buffer));
    }
    if (this.uploadFails) throw this.uploadFails;
    if (!head) throw new GatewayError('VALIDATION_ERROR', 'no head');
    const fileId = head.projectId === '' ? `file_${uuidv7()}` : uuidv7();
    this.uploads.push({ fileId, head, bytes: Buffer.concat(chunks) });
    await this.onUploaded();
    const { assetId, mimeType, sizeBytes, fileName: title } = head;
    const source = { id: fileId, sourceType: 'file', title, status: 'processing', mimeType, sizeBytes, assetId };
    return head.projectId === '' ? { fileId } : { fileId, source };
  };

  #discardFile = async ({ fileId }: { fileId: string }) => {
    const failure = this.discardFails;
    this.discardFails = undefined;
    if (failure) throw failure;
    this.discarded.push(fileId);
    return {};
  };

  #deleteProjectSource = async ({ sourceId }: { sourceId: string }) => {
    const found = this.uploads.find(({ fileId }) => fileId === sourceId);
    if (!found || this.deletedSources.includes(sourceId)) throw new GatewayError('SOURCE_NOT_FOUND', 'the file does not exist');
    this.deletedSources.push(sourceId);
    return { assetId: found.head.assetId };
  };
}

/** An artifact that consists of these bytes. */
export function consistsOf(bytes: Buffer, chunk = 65_536): Script {
  return async function* () {
    yield { frame: { $case: 'head', value: { mimeType: '', sizeBytes: bytes.length, fileName: '' } } };
    for (let at = 0; at < bytes.length; at += chunk) yield { frame: { $case: 'chunk', value: bytes.subarray(at, at + chunk) } };
  };
}

/** An artifact that fails with these errors before it comes. */
export function failsWith(errors: readonly GatewayError[], then: Script): Script {
  return async function* (attempt, signal) {
    const error = errors[attempt - 1];
    if (error) throw error;
    yield* then(attempt - errors.length, signal);
  };
}

/** Something that can be let go. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
