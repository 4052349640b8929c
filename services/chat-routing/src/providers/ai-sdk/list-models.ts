import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { toResponseError } from './failures.ts';

/** Request of a provider's model list, and how to read the response. */
export interface ListRequest<Answer> {
  path: string;
  headers: Record<string, string>;
  responseSchema: z.ZodType<Answer>;
  /** Returns the names of the chat models, in the provider's order. */
  names: (answer: Answer) => string[];
}

/** Parts of the names of non-chat models, which these providers list together with chat models. */
const NOT_FOR_CHAT =
  /embed|whisper|\btts\b|orpheus|image|imagine|video|moderation|guard|safeguard|transcribe|voxtral|\bocr\b|rerank|\blive\b|audio|aqa/i;

/** Returns the names of a provider's chat models. Throws a coded error. */
export async function listModels<Answer>(
  pools: HttpPools,
  { baseUrl, secret }: UpstreamConnection,
  { path, headers, responseSchema: answer, names }: ListRequest<Answer>,
): Promise<string[]> {
  const body = await pools.requestJson(baseUrl, path, { method: 'GET', headers }, (status, refusal, retryAfter) =>
    toResponseError({ status, body: refusal, retryAfter, secret }),
  );
  const read = answer.safeParse(body);
  if (!read.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list of models');
  return names(read.data).filter((name) => !NOT_FOR_CHAT.test(name));
}
