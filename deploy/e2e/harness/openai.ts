import OpenAI from 'openai';
import { type Gateway } from './parley.ts';

/** The official client, as a person configures it; `sent` counts the requests it made. */
export interface OpenAIClient {
  client: OpenAI;
  sent: () => number;
}

/** Points the official client at a gateway. Retries are off unless asked for. */
export function openaiClient(
  gateway: Gateway,
  { apiKey = gateway.apiKey, maxRetries = 0 }: { apiKey?: string; maxRetries?: number } = {},
): OpenAIClient {
  let count = 0;
  const counting: typeof fetch = (input, init) => {
    count++;
    return fetch(input, init);
  };
  return { client: new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries, logLevel: 'off', fetch: counting }), sent: () => count };
}

/** The parameters of a turn with one user message. */
export function saying(content: string) {
  return { model: 'auto', messages: [{ role: 'user' as const, content }] };
}

/** The request options that continue a conversation. */
export function continuing(conversation: string) {
  return { headers: { 'X-Service-Conversation-Id': conversation } };
}
