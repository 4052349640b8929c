import { type HttpPools } from '../../http-pools.ts';
import { type SdkProvider } from '../sdk-provider.ts';
import { anthropic } from './anthropic.ts';
import { cohere, deepSeek, groq, mistral, xai } from './api-key-providers.ts';
import { azure } from './azure.ts';
import { bedrock } from './bedrock.ts';
import { google } from './google.ts';
import { vertex } from './vertex.ts';

const KINDS: readonly ((pools: HttpPools) => SdkProvider)[] = [
  anthropic,
  google,
  vertex,
  azure,
  bedrock,
  mistral,
  groq,
  xai,
  deepSeek,
  cohere,
];

/** Returns all providers of the AI SDK, without loading its packages. */
export function listSdkProviders(pools: HttpPools): SdkProvider[] {
  return KINDS.map((kind) => kind(pools));
}
