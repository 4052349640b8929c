import { isUuid } from '@parley/kit/ids/uuid';
import { type EncodedFields } from '@parley/kit/rpc/multiplexed-call';
import { GatewayError } from '@parley/protos/errors';
import { type TurnMessage, type TurnRequest } from '@parley/protos/routing/v1/routing';
import { type IncomingHttpHeaders } from 'node:http';
import { readHeader } from '../../middleware/read-header.ts';
import { validate } from '../../middleware/validate.ts';
import { IDEMPOTENCY_KEY_HEADER } from '../idempotency-key.ts';
import { requireSafeImageUrl } from './image-url.ts';
import { toParametersJson } from './parameters.ts';
import { toRequestDigest, isRetry } from './request-digest.ts';
import { type ChatRequest, chatRequest } from './schema.ts';

/** Names of the routing headers, as errors spell them. */
export const ROUTING_HEADER_NAMES = {
  conversation: 'X-Service-Conversation-Id',
  account: 'X-Service-Upstream-Account',
  upstreamProject: 'X-Service-Upstream-Project',
  project: 'X-Service-Project',
  profile: 'X-Service-Route-Profile',
  idempotency: IDEMPOTENCY_KEY_HEADER,
} as const;

/** The messages of a turn in the wire format: fields that are appended to the encoded `TurnRequest`. */
export interface EncodedMessages extends EncodedFields {
  /** Estimated tokens of the messages. */
  tokens: number;
}

/** A validated chat request: the turn to request, and the options of its answer. */
export interface ParsedChat {
  turn: TurnRequest;
  includeUsage: boolean;
  /** The encoded messages of a large turn for another process; `turn.messages` is empty then. */
  encoded?: EncodedMessages;
}

/**
 * Returns the turn that a body and its routing headers request.
 * @throws GatewayError VALIDATION_ERROR naming the field or header, UNSUPPORTED_PARAMETER, INVALID_REQUEST for image URLs that are not
 * public
 */
export function parseChat(json: unknown, headers: IncomingHttpHeaders): ParsedChat {
  const body = validate(chatRequest, json, 'body');
  refuseUnsupported(body);
  const conversationId = readHeader(headers, ROUTING_HEADER_NAMES.conversation);
  if (conversationId && !isUuid(conversationId))
    throw new GatewayError('VALIDATION_ERROR', 'the conversation id is not a UUID', { param: ROUTING_HEADER_NAMES.conversation });
  const turn: TurnRequest = {
    model: body.model,
    messages: body.messages.map(toMessage),
    stream: body.stream ?? false,
    attachmentFileIds: body.attachment_file_ids ?? [],
    conversationId: conversationId.toLowerCase(),
    upstreamAccount: readHeader(headers, ROUTING_HEADER_NAMES.account),
    upstreamProject: readHeader(headers, ROUTING_HEADER_NAMES.upstreamProject),
    project: readHeader(headers, ROUTING_HEADER_NAMES.project),
    routeProfile: readHeader(headers, ROUTING_HEADER_NAMES.profile),
    idempotencyKey: readHeader(headers, ROUTING_HEADER_NAMES.idempotency),
    requestDigest: NO_DIGEST,
    retry: isRetry(headers),
    parameters: toParametersJson(body),
  };
  turn.requestDigest = toRequestDigest(turn);
  return { turn, includeUsage: body.stream_options?.include_usage ?? false };
}

const NO_DIGEST = Buffer.alloc(0);

function refuseUnsupported(body: ChatRequest): void {
  const tools = (['tools', 'tool_choice'] as const).find((name) => body[name] !== undefined && body[name] !== null);
  const refused = tools ?? (['functions', 'function_call'] as const).find((name) => !isNothing(body[name]));
  const param = refused ?? ((body.n ?? 1) > 1 ? 'n' : body.logprobs ? 'logprobs' : undefined);
  if (param) throw new GatewayError('UNSUPPORTED_PARAMETER', `${param} is not supported`, { param });
}

/** Clients of the older function API send empty lists of functions. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function toMessage({ role, content }: ChatRequest['messages'][number], index: number): TurnMessage {
  const name = role === 'developer' ? 'system' : role;
  if (content === null) {
    if (role === 'assistant') return { role: name, text: '', parts: [] };
    const param = `messages.${index}.content`;
    throw new GatewayError('VALIDATION_ERROR', `${param}: only messages of the assistant may be null`, { param });
  }
  if (typeof content === 'string') return { role: name, text: content, parts: [] };
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const onlyText = texts.length === content.length;
  const parts = content.map((part, position) => {
    if (part.type === 'text') return { content: { $case: 'text' as const, value: part.text } };
    requireSafeImageUrl(part.image_url.url, `messages.${index}.content.${position}.image_url.url`);
    return { content: { $case: 'imageUrl' as const, value: part.image_url.url } };
  });
  return { role: name, text: texts.join('\n'), parts: onlyText ? [] : parts };
}
