import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type HttpPools } from '../../http-pools.ts';
import { listModels } from '../list-models.ts';
import { type SdkProvider } from '../sdk-provider.ts';

const RESOURCE = /^[a-z0-9][a-z0-9-]{0,62}$/i;

/**
 * Azure OpenAI (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle). The account is the name of the resource; its
 * models are its deployments, which a key cannot list, so the operator names them.
 */
export function azure(pools: HttpPools): SdkProvider {
  return {
    name: 'azure',
    family: 'openai',
    baseUrl: (account) => {
      if (!RESOURCE.test(account))
        throw new GatewayError('VALIDATION_ERROR', 'account must be the name of the Azure OpenAI resource, unless base_url is given', {
          param: 'account',
        });
      return `https://${account.toLowerCase()}.openai.azure.com/openai/v1`;
    },
    reads: ['image/'],
    takesImageUrls: true,
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createAzure } = await import('@ai-sdk/azure');
      return createAzure({ apiKey, baseURL, fetch }).chat(model);
    },
    // The list contains what could be deployed, so it is ignored; a successful response proves the key.
    listModels: (connection) =>
      listModels(pools, connection, {
        path: '/models',
        headers: { 'api-key': connection.secret },
        responseSchema: z.looseObject({}),
        names: () => [],
      }),
  };
}
