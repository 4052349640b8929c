import { type LanguageModelV3 } from '@ai-sdk/provider';
import { type ConnectionTraits } from '../provider.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** The `fetch` with which an SDK calls an upstream. */
export type Fetch = typeof globalThis.fetch;

/** A provider of the AI SDK: static facts that need no package, and functions that load and list its models. */
export interface SdkProvider {
  name: string;
  family: string;
  baseUrl: NonNullable<ConnectionTraits['baseUrl']>;
  /** MIME types that its models read natively: full types, or prefixes that end in a slash. Other files are sent as extracted text. */
  reads: readonly string[];
  /** Maximum total bytes of files that are sent natively with a turn. @default 20 MB */
  maxFileBytes?: number;
  /** Whether its API fetches images by https URL. */
  takesImageUrls: boolean;
  /** Loads the SDK's package and returns the model for a turn. Throws a coded error. */
  loadModel(connection: UpstreamConnection, model: string, fetch: Fetch): Promise<LanguageModelV3>;
  /**
   * Verifies the credentials and returns the names of the chat models; empty when the provider has no usable list. Throws a coded error,
   * and VALIDATION_ERROR for credentials that do not have this provider's format.
   */
  listModels(connection: UpstreamConnection): Promise<string[]>;
}

/** Whether models of a provider read files of this MIME type natively. */
export function isNativeMimeType({ reads }: Pick<SdkProvider, 'reads'>, mimeType: string): boolean {
  return reads.some((type) => (type.endsWith('/') ? mimeType.startsWith(type) : mimeType === type));
}
