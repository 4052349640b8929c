import { z } from 'zod';
import { type HttpPools } from '../../http-pools.ts';
import { listModels } from '../list-models.ts';
import { type SdkProvider } from '../sdk-provider.ts';

/** API version, the same that the SDK uses. */
const VERSION = '2023-06-01';

const answer = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Anthropic (https://docs.anthropic.com/en/api/messages). Without `max_tokens`, the SDK requests the model's maximum. */
export function anthropic(pools: HttpPools): SdkProvider {
  return {
    name: 'anthropic',
    family: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    reads: ['image/', 'application/pdf'],
    takesImageUrls: true,
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, baseURL, fetch })(model);
    },
    listModels: (connection) =>
      listModels(pools, connection, {
        path: '/models?limit=1000',
        headers: { 'x-api-key': connection.secret, 'anthropic-version': VERSION },
        responseSchema: answer,
        names: ({ data }) => data.map(({ id }) => id),
      }),
  };
}
