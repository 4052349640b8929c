import { type Stub } from '@parley/kit/rpc/client';
import { GatewayError } from '@parley/protos/errors';
import {
  type ChatRoutingServiceService,
  type TurnAccepted,
  type TurnCompleted,
  type TurnEvent,
  type TurnMessage,
  type TurnRequest,
} from '@parley/protos/routing/v1/routing';
import { hash } from 'node:crypto';
import { type JsonObject, type JsonValue } from '../domain/json.ts';
import { isObject, requireObjectPayload, requireTextField } from './payload.ts';
import { invalidStepError, toInternalCallError } from './step-errors.ts';
import { toInternalIdempotencyKey, type StepExecutor, type StepRequest } from './step-executor.ts';

/** The chat-routing RPC that runs turns. */
export type TurnsClient = Pick<Stub<typeof ChatRoutingServiceService>, 'turns'>;

/** Longer than any step's own timeout, in milliseconds. */
const DEADLINE_MS = 3_600_000;
const ROLES = new Map(Object.entries({ system: 'system', developer: 'system', user: 'user', assistant: 'assistant' }));

/**
 * Returns the executor of `chat`: a chat turn for the run's caller, as `POST /v1/chat/completions` without streaming. Payload: `messages`,
 * and optional `model` and `conversation_id`. A completed turn is not repeated when the step is resumed; an interrupted or failed one is.
 */
export function chatExecutor(routing: TurnsClient): StepExecutor {
  return {
    execute: async (request, signal) => {
      const turn = toTurnRequest(request);
      try {
        return { statusCode: 200, headers: {}, body: await answered(routing, turn, request, signal) };
      } catch (error) {
        throw toInternalCallError(error, signal);
      }
    },
  };
}

/**
 * Runs a turn and returns its completion. The idempotency key returns an earlier completed turn; an interrupted turn is repeated under it.
 */
async function answered(routing: TurnsClient, turn: TurnRequest, request: StepRequest, signal: AbortSignal): Promise<JsonObject> {
  const { accepted, completed } = await complete(routing, turn, request, signal);
  return completion(accepted, completed);
}

function toTurnRequest(request: StepRequest): TurnRequest {
  const { payload } = request;
  const given = requireObjectPayload(payload);
  const { messages } = given;
  if (!Array.isArray(messages) || messages.length === 0) throw invalidStepError("messages of the step's payload must be a list");
  return {
    model: requireTextField(given, 'model', 'auto'),
    messages: (messages as readonly JsonValue[]).map(toMessage),
    stream: false,
    attachmentFileIds: [],
    conversationId: requireTextField(given, 'conversation_id', '').toLowerCase(),
    upstreamAccount: '',
    upstreamProject: '',
    project: '',
    routeProfile: '',
    parameters: '',
    idempotencyKey: toInternalIdempotencyKey(request),
    requestDigest: hash('sha256', JSON.stringify(given), 'buffer'),
    retry: false,
  };
}

function toMessage(message: JsonValue): TurnMessage {
  const given = isObject(message) ? message['role'] : undefined;
  const role = typeof given === 'string' ? ROLES.get(given) : undefined;
  const content = isObject(message) ? message['content'] : undefined;
  if (role === undefined || typeof content !== 'string') throw invalidStepError('a message has a role and a text as its content');
  return { role, text: content, parts: [] };
}

interface Answer {
  accepted: TurnAccepted;
  completed: TurnCompleted;
}

function complete(routing: TurnsClient, turn: TurnRequest, { caller, traceparent }: StepRequest, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let accepted: TurnAccepted | undefined;
    let completed: TurnCompleted | undefined;
    const inlet = {
      message: ({ event }: TurnEvent) => {
        if (event?.$case === 'accepted') accepted = event.value;
        if (event?.$case === 'completed') completed = event.value;
      },
      end: () => {
        if (accepted && completed) resolve({ accepted, completed });
        else reject(new GatewayError('INTERNAL_ERROR', 'a turn ended without an answer'));
      },
      fail: reject,
    };
    const weight = turn.messages.reduce((sum, { text }) => sum + text.length, 0);
    routing.turns(turn, inlet, { caller, traceparent, signal, deadlineMs: DEADLINE_MS, weight });
  });
}

function completion(accepted: TurnAccepted, { text, finishReason, tokensIn, tokensOut }: TurnCompleted): JsonObject {
  return {
    id: `chatcmpl-${accepted.messageId}`,
    object: 'chat.completion',
    created: accepted.created,
    model: accepted.model,
    conversation_id: accepted.conversationId,
    message_id: accepted.messageId,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finishReason }],
    usage: { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut },
  };
}
