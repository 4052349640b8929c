import { z } from 'zod';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { errorEnvelope } from '../../wire/error.ts';
import { CHAT_PATH } from './chat-path.ts';
import { CHAT_ERRORS } from './errors.ts';
import { chatChunk, chatRequest, chatResponse, routingHeaders } from './schema.ts';

/** The route of the chat operation, which runs before Express; its handler is in `completions.ts`. */
export const CHAT_ROUTE = {
  method: 'post',
  path: CHAT_PATH,
  operationId: 'createChatCompletion',
  summary: 'Create a chat completion, whole or streamed',
  access: 'key',
  scope: 'chat',
  throttle: 'rate_limit',
  limitsConcurrency: true,
  status: 200,
  headers: routingHeaders,
  body: chatRequest,
  response: chatResponse,
  events: z.union([chatChunk, errorEnvelope]),
  responseHeaders: { 'X-Service-Conversation-Id': 'The conversation that the turn belongs to.' },
  errors: CHAT_ERRORS,
} as const satisfies RouteSpec;
