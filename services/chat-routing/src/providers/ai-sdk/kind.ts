import { type LanguageModelV3 } from '@ai-sdk/provider';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { type ConnectionTraits } from '../provider.ts';

/** What an SDK calls an upstream with. */
export type Fetch = typeof globalThis.fetch;

/** One provider that the AI SDK speaks to: what is known of it without loading anything, and how its model is opened. */
export interface SdkKind {
  name: string;
  family: string;
  baseUrl: NonNullable<ConnectionTraits['baseUrl']>;
  /** MIME types of files that its models read themselves: whole types, or prefixes that end in a slash. Of other files the text is sent. */
  reads: readonly string[];
  /** Bytes of all files that travel with a turn as they are. @default 20 MB */
  maxFileBytes?: number;
  /** Its API fetches images by their https URLs. */
  takesImageUrls: boolean;
  /** Gives the model for a turn, after loading the SDK's package for it. Throws a coded error. */
  open(connection: UpstreamConnection, model: string, fetch: Fetch): Promise<LanguageModelV3>;
  /**
   * Checks that the upstream admits the connection, and lists its chat models; none where it has no list. Throws a coded error,
   * VALIDATION_ERROR for credentials that are in no form of this provider.
   */
  list(connection: UpstreamConnection): Promise<string[]>;
}

/** Whether models of a provider read files of this type themselves. */
export function readsType({ reads }: Pick<SdkKind, 'reads'>, mimeType: string): boolean {
  return reads.some((type) => (type.endsWith('/') ? mimeType.startsWith(type) : mimeType === type));
}
