import { z } from 'zod';
import { type HttpPools } from '../../http-pools.ts';
import { listModels } from '../list-models.ts';
import { type SdkProvider } from '../sdk-provider.ts';

/** Maximum file bytes: a request may have 20 MB, with files in base64 (https://ai.google.dev/gemini-api/docs/document-processing). */
export const MAX_INLINE_BYTES = 14 * 1024 * 1024;

const answer = z.object({ models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).default([]) })) });

/** Google's Gemini API (https://ai.google.dev/api/generate-content). */
export function google(pools: HttpPools): SdkProvider {
  return {
    name: 'google',
    family: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    reads: ['image/', 'application/pdf'],
    maxFileBytes: MAX_INLINE_BYTES,
    takesImageUrls: false,
    loadModel: async ({ baseUrl: baseURL, secret: apiKey }, model, fetch) => {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ apiKey, baseURL, fetch })(model);
    },
    listModels: (connection) =>
      listModels(pools, connection, {
        path: '/models?pageSize=1000',
        headers: { 'x-goog-api-key': connection.secret },
        responseSchema: answer,
        names: ({ models }) =>
          models
            .filter(({ supportedGenerationMethods }) => supportedGenerationMethods.includes('generateContent'))
            .map(({ name }) => name.replace(/^models\//, '')),
      }),
  };
}
