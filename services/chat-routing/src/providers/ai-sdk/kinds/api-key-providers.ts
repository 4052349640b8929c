import { z } from 'zod';
import { type HttpPools } from '../../http-pools.ts';
import { toAuthorizationHeader } from '../../openai-compatible/models.ts';
import { type UpstreamConnection } from '../../upstream-connection.ts';
import { listModels } from '../list-models.ts';
import { type SdkProvider } from '../sdk-provider.ts';

const capabilities = z.object({ completion_chat: z.boolean().default(true) }).default({ completion_chat: true });
const openAiList = z.object({ data: z.array(z.object({ id: z.string(), capabilities })) });
const cohereList = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Mistral (https://docs.mistral.ai/api). */
export function mistral(pools: HttpPools): SdkProvider {
  return {
    ...{ name: 'mistral', family: 'mistral', baseUrl: 'https://api.mistral.ai/v1', reads: ['image/'], takesImageUrls: true },
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createMistral } = await import('@ai-sdk/mistral');
      return createMistral({ apiKey, baseURL, fetch })(model);
    },
    listModels: listedAsByOpenAi(pools),
  };
}

/** Groq (https://console.groq.com/docs/api-reference). */
export function groq(pools: HttpPools): SdkProvider {
  return {
    ...{ name: 'groq', family: 'groq', baseUrl: 'https://api.groq.com/openai/v1', reads: ['image/'], takesImageUrls: true },
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createGroq } = await import('@ai-sdk/groq');
      return createGroq({ apiKey, baseURL, fetch })(model);
    },
    listModels: listedAsByOpenAi(pools),
  };
}

/** xAI (https://docs.x.ai/docs/api-reference). */
export function xai(pools: HttpPools): SdkProvider {
  return {
    ...{ name: 'xai', family: 'xai', baseUrl: 'https://api.x.ai/v1', reads: ['image/'], takesImageUrls: true },
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createXai } = await import('@ai-sdk/xai');
      return createXai({ apiKey, baseURL, fetch }).chat(model);
    },
    listModels: listedAsByOpenAi(pools),
  };
}

/** DeepSeek (https://api-docs.deepseek.com). */
export function deepSeek(pools: HttpPools): SdkProvider {
  return {
    ...{ name: 'deepseek', family: 'deepseek', baseUrl: 'https://api.deepseek.com', reads: [], takesImageUrls: false },
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createDeepSeek } = await import('@ai-sdk/deepseek');
      return createDeepSeek({ apiKey, baseURL, fetch })(model);
    },
    listModels: listedAsByOpenAi(pools),
  };
}

/** Cohere (https://docs.cohere.com/reference/chat). Models are listed by API version 1, chats use version 2. */
export function cohere(pools: HttpPools): SdkProvider {
  return {
    ...{ name: 'cohere', family: 'cohere', baseUrl: 'https://api.cohere.com/v2', reads: ['image/'], takesImageUrls: false },
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createCohere } = await import('@ai-sdk/cohere');
      return createCohere({ apiKey, baseURL, fetch })(model);
    },
    listModels: (connection) =>
      listModels(
        pools,
        { ...connection, baseUrl: connection.baseUrl.replace(/\/v2\/?$/, '/v1') },
        {
          path: '/models?endpoint=chat&page_size=1000',
          headers: toAuthorizationHeader(connection),
          responseSchema: cohereList,
          names: ({ models }) => models.map(({ name }) => name),
        },
      ),
  };
}

function listedAsByOpenAi(pools: HttpPools) {
  return (connection: UpstreamConnection) =>
    listModels(pools, connection, {
      path: '/models',
      headers: toAuthorizationHeader(connection),
      responseSchema: openAiList,
      names: ({ data }) => data.filter((model) => model.capabilities.completion_chat).map(({ id }) => id),
    });
}
