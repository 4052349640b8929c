import { PENDING_IMAGE_SAMPLE, IMAGE_SAMPLE } from './asset-samples.ts';
import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const HEAD = {
  id: `chatcmpl-${SAMPLE.message}`,
  object: 'chat.completion.chunk',
  created: 1_795_167_000,
  model: 'sandbox-1',
};
const USAGE = { prompt_tokens: 9, completion_tokens: 7, total_tokens: 16 };
const chunk = (delta: object, finish_reason: string | null = null) => ({ ...HEAD, choices: [{ index: 0, delta, finish_reason }] });
const event = (lifecycle_event: object) => ({ ...chunk({}), lifecycle_event });

/** Description and examples of the chat operation. */
export const CHAT_DETAILS: DetailsByOperationId = {
  stopAnswer: {
    description:
      'Stops the answer to the streamed request of the person with this `Idempotency-Key`, wherever it is given; what has come is kept. Such an answer goes on when its page leaves: the same request again gets it from its beginning.',
  },
  createChatCompletion: {
    description: `Takes OpenAI's chat body and answers in its form. Unknown fields are ignored; \`tools\`, \`tool_choice\`, \`functions\`, \`function_call\`,
\`n\` above 1 and \`logprobs\` are refused with \`UNSUPPORTED_PARAMETER\`. \`temperature\`, \`top_p\`, \`max_tokens\`, \`max_completion_tokens\`, \`stop\`, \`seed\`,
\`response_format\`, \`presence_penalty\` and \`frequency_penalty\` are accepted and ignored, unless the operator has set the connection to pass them on; no
more than 8 KB of them in all are.

**Conversations.** Every answer names its conversation in \`X-Service-Conversation-Id\`; send that header back to continue. What follows the last
\`assistant\` message of the request is new; earlier messages are history that the conversation has already. One turn at a time: another one
waits up to 10 s, then gets 409 \`CONVERSATION_BUSY\`.

**Streams** (\`stream: true\`). Server-sent events, each \`data: <JSON>\` and a blank line; the schema of \`text/event-stream\` is the JSON of one event. The
first has the role and the ids of the conversation and the message, then come deltas, then \`finish_reason\`, then the usage where
\`stream_options.include_usage\` asks for it, and in the end the literal \`data: [DONE]\`. Lines that begin with a colon keep the connection alive, each with a
blank line behind it. Where no model has accepted the turn within 15 s the stream begins with such lines, and what goes wrong from then on is a failure
on the stream. The reasoning of a model comes as \`delta.reasoning_content\`, before the text and never as part of it.

**Lifecycle events** are chunks with an empty delta and \`lifecycle_event\`: \`asset.discovered\`, \`asset.processing\`, \`asset.ready\`, \`asset.failed\`,
\`response.partially_completed\` (the text is complete, assets are being fetched), \`response.completed\`, \`response.failed\`. A failure after the first event is
the chunk \`response.failed\`, then an event with the error envelope, then \`[DONE]\`. A stream that ends without \`response.completed\` has assets
that are not fetched yet: poll \`GET /v1/messages/{message_id}\`.`,
    request: { model: 'auto', messages: [{ role: 'user', content: 'Where is the oldest lighthouse?' }], stream: false },
    response: {
      ...{ ...HEAD, object: 'chat.completion', conversation_id: SAMPLE.conversation, message_id: SAMPLE.message },
      choices: [{ index: 0, message: { role: 'assistant', content: 'It stands in A Coruña, Spain.' }, finish_reason: 'stop' }],
      usage: USAGE,
    },
    events: {
      first: {
        summary: 'The first event',
        value: {
          ...HEAD,
          conversation_id: SAMPLE.conversation,
          message_id: SAMPLE.message,
          choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
        },
      },
      reasoning: { summary: 'What the model thinks', value: chunk({ reasoning_content: 'The oldest one is Roman.' }) },
      text: { summary: 'A piece of text', value: chunk({ content: 'It stands' }) },
      stop: { summary: 'The end of the text', value: chunk({}, 'stop') },
      discovered: { summary: 'An image is being made', value: event({ type: 'asset.discovered', asset: PENDING_IMAGE_SAMPLE }) },
      ready: { summary: 'The image can be downloaded', value: event({ type: 'asset.ready', asset: IMAGE_SAMPLE }) },
      completed: { summary: 'Everything is there', value: event({ type: 'response.completed' }) },
      usage: { summary: 'Usage, where it was asked for', value: { ...HEAD, choices: [], usage: USAGE } },
      failed: {
        summary: 'The turn failed',
        value: {
          ...chunk({}, 'error'),
          lifecycle_event: {
            type: 'response.failed',
            error: { code: 'PROVIDER_UNAVAILABLE', message: 'the upstream broke off', retryable: true },
          },
        },
      },
      error: {
        summary: 'What OpenAI’s clients throw, after the event before',
        value: {
          error: {
            ...{ code: 'PROVIDER_UNAVAILABLE', message: 'the upstream broke off', type: 'upstream_error' },
            ...{ request_id: 'trip-planner-42', retryable: true },
          },
        },
      },
    },
  },
};
