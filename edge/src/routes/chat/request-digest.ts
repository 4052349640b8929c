import { hash } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';

/** What distinguishes requests, apart from their keys and their conversations. */
export type DigestedRequest = Omit<TurnRequest, 'conversationId' | 'idempotencyKey' | 'requestDigest' | 'retry' | 'requireProject'>;

/**
 * SHA-256 of all that makes two requests the same: the whole body as far as it matters, earlier messages included, and the headers that
 * choose a route. A client that repeats a message sends a longer history the second time; a retry sends the same bytes.
 */
export function toRequestDigest(request: DigestedRequest): Buffer {
  const { model, stream, attachmentFileIds, upstreamAccount, upstreamProject, project, routeProfile, messages, parameters } = request;
  const route = [upstreamAccount, upstreamProject, project, routeProfile];
  // The lengths say where each text ends, so the texts need no escaping: images make them long.
  const shape = JSON.stringify([model, stream, attachmentFileIds, route, messages.map(shapeOf), ...(parameters ? [parameters] : [])]);
  return hash(
    'sha256',
    messages.reduce((all, message) => all + contentOf(message), shape),
    'buffer',
  );
}

function shapeOf({ role, text, parts }: TurnMessage): unknown[] {
  return [role, parts.length === 0 ? text.length : parts.map(({ content }) => [content?.$case, content?.value.length])];
}

function contentOf({ text, parts }: TurnMessage): string {
  return parts.length === 0 ? text : parts.map(({ content }) => content?.value ?? '').join('');
}

/** True when the client says that this is a retry: the OpenAI SDKs count their attempts in a header, from 0. */
export function isRetry(headers: IncomingHttpHeaders): boolean {
  return /^[1-9]\d{0,8}$/.test(String(headers['x-stainless-retry-count'] ?? ''));
}
