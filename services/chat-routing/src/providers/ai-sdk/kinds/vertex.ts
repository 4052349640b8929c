import { GatewayError } from '@parley/protos/errors';
import { randomUUID } from 'node:crypto';
import { type HttpPools } from '../../http-pools.ts';
import { type SdkProvider } from '../sdk-provider.ts';
import { MAX_INLINE_BYTES } from './google.ts';
import { readServiceAccount } from './service-account.ts';
import { VertexTokenCache } from './vertex-token-cache.ts';

const LOCATION = /^[a-z0-9-]{2,40}$/;
const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,62}$/;

/**
 * Gemini on Google Vertex AI (https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference). The account is a location,
 * or `project/location` when the project is not the service account's. The secret is the JSON key of the service account. The operator
 * names its models.
 */
export function vertex(pools: HttpPools): SdkProvider {
  const tokens = new VertexTokenCache(pools);
  return {
    name: 'google-vertex',
    family: 'google',
    baseUrl: (account) => `https://${toHost(toLocation(account).location)}`,
    reads: ['image/', 'application/pdf'],
    maxFileBytes: MAX_INLINE_BYTES,
    takesImageUrls: false,
    loadModel: async (connection, model, fetch) => {
      const { project = readServiceAccount(connection.secret).project, location } = toLocation(connection.account);
      const { GoogleGenerativeAILanguageModel } = await import('@ai-sdk/google/internal');
      // The SDK's Vertex package is not used: its credentials client makes its own network calls and reads the environment.
      return new GoogleGenerativeAILanguageModel(model, {
        provider: 'google.vertex.chat',
        baseURL: `${connection.baseUrl.replace(/\/+$/, '')}/v1beta1/projects/${project}/locations/${location}/publishers/google`,
        headers: { authorization: `Bearer ${await tokens.getToken(connection)}` },
        generateId: randomUUID,
        fetch,
      });
    },
    listModels: async (connection) => {
      toLocation(connection.account);
      await tokens.requestToken(connection);
      return [];
    },
  };
}

/** Parses the account into location and optional project. Throws VALIDATION_ERROR. */
function toLocation(account: string): { project?: string; location: string } {
  const [location = '', project, ...rest] = account.split('/').reverse();
  if (rest.length > 0 || !LOCATION.test(location) || (project !== undefined && !PROJECT.test(project)))
    throw new GatewayError('VALIDATION_ERROR', 'account must be the location of Vertex AI, such as europe-west4, or project/location', {
      param: 'account',
    });
  return { location, ...(project !== undefined && { project }) };
}

function toHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  // Multi-region locations.
  if (location === 'eu' || location === 'us') return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}
