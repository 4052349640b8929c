import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import {
  type ActionInputAsset,
  type ActionInputHead,
  type Asset,
  type AssetServiceService,
  type AttachmentHead,
  type ListConversationAssetsRequest,
  type ProjectFileHead,
  type RegisterArtifactsRequest,
} from '@parley/protos/asset/v1/asset';
import { GatewayError } from '@parley/protos/errors';
import { type AssetChanged } from '@parley/protos/events/v1/events';

const NOW = new Date('2025-01-31T12:00:00.000Z');

/** An asset as the asset service would answer it. */
function asset(change: Partial<Asset> = {}): Asset {
  return {
    id: uuidv7(),
    assetType: 'image',
    fileName: 'cat.png',
    mimeType: 'image/png',
    sizeBytes: 0,
    status: 'discovered',
    retryCount: 0,
    createdAt: NOW,
    conversationId: '',
    messageId: '',
    errorCondition: '',
    errorMessage: '',
    sha256: '',
    updatedAt: NOW,
    ...change,
  };
}

interface Kept {
  asset: Asset;
  workspaceId: string;
}

interface Frame<Head> {
  frame?: { $case: 'head'; value: Head } | { $case: 'chunk'; value: Uint8Array } | undefined;
}

type AnyHead = AttachmentHead | ProjectFileHead | ActionInputHead;

/** Plays the asset service: assets in memory that move when a test says so. */
export class FakeAssets {
  kept = new Map<string, Kept>();
  /** Every call with its method, for looking at callers and requests. */
  calls: { method: string; request: unknown; call: Call }[] = [];
  /** Whole uploads: what was said of them, and their bytes. */
  uploads: { head: AnyHead; bytes: Buffer }[] = [];
  /** Files for actions, by who brought them. */
  inputs: { input: ActionInputAsset; workspaceId: string }[] = [];
  /** Uploads that broke off, with what they broke off with. */
  broken: { error: unknown; call: Call }[] = [];
  /** What uploaded files turn out to measure. */
  look: Pick<Asset, 'width' | 'height'> = {};
  /** Called with every chunk of an upload, and with nothing at its end; a test refuses or waits here. */
  taking: (chunk: Uint8Array | undefined) => void | Promise<void> = () => undefined;
  /** Thrown by every method while it is set. */
  failure: GatewayError | undefined;
  /** Base URL of the listener that downloads are sent to. */
  listener = '';
  /** Receives every state change of an asset; a test sends it on over NATS, or does not. */
  moved: (change: AssetChanged) => void = () => undefined;

  handlers(): Handlers<typeof AssetServiceService> {
    return {
      uploadAttachment: this.#on('uploadAttachment', async (frames: AsyncIterable<Frame<AttachmentHead>>, call) => {
        const { head, bytes } = await this.#receive(frames, call);
        const { conversationId, file } = head;
        const kept = this.keep(
          {
            ...this.look,
            assetType: 'attachment',
            status: 'ready',
            sizeBytes: bytes.length,
            conversationId,
            ...(file && { fileName: file.fileName }),
          },
          call.caller.workspaceId,
        );
        return { fileId: `file_${kept.id}`, asset: kept };
      }),
      uploadProjectFile: this.#on('uploadProjectFile', async (frames: AsyncIterable<Frame<ProjectFileHead>>, call) => {
        const { head, bytes } = await this.#receive(frames, call);
        const file = { id: uuidv7(), sourceType: 'file', title: head.file?.fileName ?? '', status: 'processing', mimeType: 'text/plain' };
        return { ...file, sizeBytes: bytes.length, createdAt: NOW, assetId: uuidv7() };
      }),
      deleteProjectFile: this.#on('deleteProjectFile', async () => ({})),
      registerArtifacts: this.#on('registerArtifacts', (request: RegisterArtifactsRequest, { caller }) => ({
        assets: request.artifacts.map(({ assetId, assetType, fileName, mimeType }) => {
          const { conversationId, messageId } = request;
          const known = this.kept.get(assetId)?.asset;
          return known ?? this.keep({ id: assetId, assetType, fileName, mimeType, conversationId, messageId }, caller.workspaceId);
        }),
      })),
      getAsset: this.#on('getAsset', ({ id }: { id: string }, call) => this.#open(id, call)),
      listAssets: this.#on('listAssets', ({ ids }: { ids: string[] }, { caller }) => ({
        assets: ids.flatMap((id) => {
          const found = this.kept.get(id);
          return found?.workspaceId === caller.workspaceId ? [found.asset] : [];
        }),
      })),
      listConversationAssets: this.#on('listConversationAssets', (request: ListConversationAssetsRequest, { caller }) => {
        const { conversationId, limit, offset } = request;
        const own = [...this.kept.values()].filter((one) => one.workspaceId === caller.workspaceId).map((one) => one.asset);
        const assets = own.filter((one) => one.conversationId === conversationId);
        return { assets: assets.slice(offset, offset + limit), total: assets.length };
      }),
      retryAsset: this.#on('retryAsset', ({ id }: { id: string }, call) => {
        const found = this.#open(id, call);
        if (found.status !== 'failed') throw new GatewayError('ASSET_NOT_RETRYABLE', 'only a failed asset can be retried');
        return this.move(id, { status: 'discovered', retryCount: found.retryCount + 1, errorCondition: '', errorMessage: '' });
      }),
      openDownload: this.#on('openDownload', ({ id }: { id: string }, call) => {
        if (this.#open(id, call).status !== 'ready') throw new GatewayError('ASSET_NOT_READY', 'asset is still processing');
        return { path: `/assets/${id}?ticket=secret`, baseUrl: this.listener };
      }),
      uploadActionInput: this.#on('uploadActionInput', async (frames: AsyncIterable<Frame<ActionInputHead>>, call) => {
        const { head, bytes } = await this.#receive(frames, call);
        const kept = asset({ assetType: 'action_input', status: 'ready', sizeBytes: bytes.length, fileName: head.file?.fileName ?? '' });
        const input = { asset: kept, actionSlug: head.actionSlug, expiresAt: NOW, runId: '' };
        this.inputs.push({ input, workspaceId: call.caller.workspaceId });
        return input;
      }),
      listActionInputs: this.#on('listActionInputs', ({ actionSlug }: { actionSlug: string }, { caller }) => {
        const own = this.inputs.filter(({ input, workspaceId }) => workspaceId === caller.workspaceId && input.actionSlug === actionSlug);
        return { assets: own.map(({ input }) => input), total: own.length };
      }),
      consumeActionInputs: this.#on('consumeActionInputs', () => ({ assets: [] })),
      readActionInput: () => {
        throw new GatewayError('NOT_IMPLEMENTED', 'not played');
      },
      keepGenerated: () => Promise.reject(new GatewayError('NOT_IMPLEMENTED', 'not played')),
    };
  }

  /** Puts an asset into a workspace. */
  keep(change: Partial<Asset>, workspaceId: string): Asset {
    const kept = asset(change);
    this.kept.set(kept.id, { asset: kept, workspaceId });
    return kept;
  }

  /** Changes an asset, and publishes the notice. */
  move(id: string, change: Partial<Asset>): Asset {
    const kept = this.kept.get(id);
    if (!kept) throw new Error(`no asset ${id}`);
    kept.asset = { ...kept.asset, ...change };
    this.moved(toChange(kept));
    return kept.asset;
  }

  #on<Req, Res>(method: string, answer: (request: Req, call: Call) => Res | Promise<Res>) {
    return async (request: Req, call: Call): Promise<Res> => {
      this.calls.push({ method, request, call });
      if (this.failure) throw this.failure;
      return answer(request, call);
    };
  }

  #open(id: string, { caller }: Call): Asset {
    const kept = this.kept.get(id);
    if (!kept) throw new GatewayError('ASSET_NOT_FOUND', 'no such asset');
    if (kept.workspaceId !== caller.workspaceId) throw new GatewayError('ASSET_ACCESS_DENIED', 'the asset is not yours');
    return kept.asset;
  }

  async #receive<Head extends AnyHead>(frames: AsyncIterable<Frame<Head>>, call: Call) {
    const chunks: Uint8Array[] = [];
    let head: Head | undefined;
    try {
      for await (const { frame } of frames) {
        if (frame?.$case === 'head') head = frame.value;
        if (frame?.$case !== 'chunk') continue;
        await this.taking(frame.value);
        chunks.push(frame.value);
      }
      await this.taking(undefined);
      if (call.abortReason) throw call.abortReason;
    } catch (error) {
      this.broken.push({ error, call });
      throw error;
    }
    if (!head) throw new GatewayError('INTERNAL_ERROR', 'an upload without a head');
    const upload = { head, bytes: Buffer.concat(chunks) };
    this.uploads.push(upload);
    return upload;
  }
}

function toChange({ asset: of, workspaceId }: Kept): AssetChanged {
  const { id, updatedAt, conversationId, messageId, assetType, fileName, mimeType, sizeBytes, status, retryCount } = of;
  const error = { errorCondition: of.errorCondition, errorMessage: of.errorMessage };
  const about = { assetId: id, workspaceId, conversationId, messageId, projectId: '', assetType, fileName, mimeType, sizeBytes };
  return { ...about, status, retryCount, ...error, ...(updatedAt && { at: updatedAt }) };
}
