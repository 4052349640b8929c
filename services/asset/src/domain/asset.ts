import { type WorkOrigin } from '@parley/kit/rpc/work-origin';

/** The status of an asset. A failed one may be retried; a ready file for an action becomes `failed` when it expires. */
export type AssetStatus = 'discovered' | 'downloading' | 'validating' | 'ready' | 'failed';

/** An asset as it is stored. */
export interface StoredAsset extends WorkOrigin {
  id: string;
  workspaceId: string;
  conversationId: string | null;
  messageId: string | null;
  projectId: string | null;
  /** image | file | audio | attachment | action_input */
  assetType: string;
  fileName: string;
  mimeType: string;
  /** Size in bytes; 0 until it is ready. */
  sizeBytes: number;
  /** SHA-256 of the bytes in hex; null until it is ready. */
  sha256: string | null;
  width: number | null;
  height: number | null;
  status: AssetStatus;
  retryCount: number;
  errorCondition: string | null;
  errorMessage: string | null;
  /** Key of the bytes in the blob store; null until it is ready. */
  blobKey: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The stored and checked content of an asset. */
export interface StoredContent {
  blobKey: string;
  sizeBytes: number;
  /** SHA-256 in hex. */
  sha256: string;
  /** MIME type by content. */
  mimeType: string;
  width: number | null;
  height: number | null;
}
