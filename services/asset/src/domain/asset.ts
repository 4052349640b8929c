import { type Origin } from '@parley/kit/rpc/origin';

/** The status of an asset. */
export type AssetStatus = 'discovered' | 'downloading' | 'validating' | 'ready' | 'failed';

/** An asset as the record has it. */
export interface StoredAsset extends Origin {
  id: string;
  workspaceId: string;
  conversationId: string | null;
  messageId: string | null;
  projectId: string | null;
  /** image | file | audio | attachment | action_input */
  assetType: string;
  fileName: string;
  mimeType: string;
  /** 0 until it is ready. */
  sizeBytes: number;
  /** Of the bytes, in hex; null until it is ready. */
  sha256: string | null;
  width: number | null;
  height: number | null;
  status: AssetStatus;
  retryCount: number;
  errorCondition: string | null;
  errorMessage: string | null;
  /** Null until it is ready. */
  blobKey: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What is known of bytes that have been kept and looked at. */
export interface KeptBytes {
  blobKey: string;
  sizeBytes: number;
  /** In hex. */
  sha256: string;
  /** By content. */
  mimeType: string;
  width: number | null;
  height: number | null;
}
