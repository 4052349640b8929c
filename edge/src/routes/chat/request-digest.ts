import { type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { hash } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

/** The fields of a turn that distinguish requests; without idempotency key and conversation. */
export type DigestedRequest = Omit<TurnRequest, 'conversationId' | 'idempotencyKey' | 'requestDigest' | 'retry' | 'requireProject'>;

/**
 * Returns the SHA-256 of what makes two requests the same: model, messages including earlier ones, streaming, attachments, parameters, and
 * the headers that choose a route. A client that repeats a message sends a longer history the second time; a retry sends the same content.
 */
export function toRequestDigest(request: DigestedRequest): Buffer {
  const { model, stream, attachmentFileIds, upstreamAccount, upstreamProject, project, routeProfile, messages, parameters } = request;
  const route = [upstreamAccount, upstreamProject, project, routeProfile];
  // The lengths mark where each text ends, so the texts need no escaping, which would be slow for images.
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

/** True when the request is a retry: the OpenAI SDKs send the number of retries in a header, from 0. */
export function isRetry(headers: IncomingHttpHeaders): boolean {
  return /^[1-9]\d{0,8}$/.test(String(headers['x-stainless-retry-count'] ?? ''));
}
