import { z } from 'zod';
import { authorization } from '../../openai-compatible/models.ts';
import { type Pools } from '../../pools.ts';
import { type UpstreamConnection } from '../../upstream-connection.ts';
import { type SdkKind } from '../kind.ts';
import { listModels } from '../list-models.ts';

const capabilities = z.object({ completion_chat: z.boolean().default(true) }).default({ completion_chat: true });
const openAiList = z.object({ data: z.array(z.object({ id: z.string(), capabilities })) });
const cohereList = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Mistral (https://docs.mistral.ai/api). */
export function mistral(pools: Pools): SdkKind {
  return {
    ...{ name: 'mistral', family: 'mistral', baseUrl: 'https://api.mistral.ai/v1', reads: ['image/'], takesImageUrls: true },
    open: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createMistral } = await import('@ai-sdk/mistral');
      return createMistral({ apiKey, baseURL, fetch })(model);
    },
    list: listedAsByOpenAi(pools),
  };
}

/** Groq (https://console.groq.com/docs/api-reference). */
export function groq(pools: Pools): SdkKind {
  return {
    ...{ name: 'groq', family: 'groq', baseUrl: 'https://api.groq.com/openai/v1', reads: ['image/'], takesImageUrls: true },
    open: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createGroq } = await import('@ai-sdk/groq');
      return createGroq({ apiKey, baseURL, fetch })(model);
    },
    list: listedAsByOpenAi(pools),
  };
}

/** xAI (https://docs.x.ai/docs/api-reference). */
export function xai(pools: Pools): SdkKind {
  return {
    ...{ name: 'xai', family: 'xai', baseUrl: 'https://api.x.ai/v1', reads: ['image/'], takesImageUrls: true },
    open: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createXai } = await import('@ai-sdk/xai');
      return createXai({ apiKey, baseURL, fetch }).chat(model);
    },
    list: listedAsByOpenAi(pools),
  };
}

/** DeepSeek (https://api-docs.deepseek.com). */
export function deepSeek(pools: Pools): SdkKind {
  return {
    ...{ name: 'deepseek', family: 'deepseek', baseUrl: 'https://api.deepseek.com', reads: [], takesImageUrls: false },
    open: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createDeepSeek } = await import('@ai-sdk/deepseek');
      return createDeepSeek({ apiKey, baseURL, fetch })(model);
    },
    list: listedAsByOpenAi(pools),
  };
}

/** Cohere (https://docs.cohere.com/reference/chat). Models are listed by API version 1, chats use version 2. */
export function cohere(pools: Pools): SdkKind {
  return {
    ...{ name: 'cohere', family: 'cohere', baseUrl: 'https://api.cohere.com/v2', reads: ['image/'], takesImageUrls: false },
    open: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createCohere } = await import('@ai-sdk/cohere');
      return createCohere({ apiKey, baseURL, fetch })(model);
    },
    list: (connection) =>
      listModels(
        pools,
        { ...connection, baseUrl: connection.baseUrl.replace(/\/v2\/?$/, '/v1') },
        {
          path: '/models?endpoint=chat&page_size=1000',
          headers: authorization(connection),
          answer: cohereList,
          names: ({ models }) => models.map(({ name }) => name),
        },
      ),
  };
}

function listedAsByOpenAi(pools: Pools) {
  return (connection: UpstreamConnection) =>
    listModels(pools, connection, {
      path: '/models',
      headers: authorization(connection),
      answer: openAiList,
      names: ({ data }) => data.filter((model) => model.capabilities.completion_chat).map(({ id }) => id),
    });
}
