import { z } from 'zod';

/** The error envelope (spec §7). */
export const errorEnvelope = z
  .object({
    error: z.object({
      code: z.string().meta({ description: 'Machine code; compare case-insensitively.' }),
      message: z.string(),
      type: z.string(),
      param: z.string().optional().meta({ description: 'The offending parameter.' }),
      request_id: z.string().meta({ description: 'Also in the header X-Request-Id.' }),
      retryable: z.boolean().nullable().meta({ description: 'Possibly transient; null when not applicable.' }),
    }),
  })
  .meta({ id: 'Error' });

/** Body of an endpoint-throttle 429 (spec §8). */
export const throttled = z
  .union([z.object({ error: z.string().meta({ example: 'Rate limit exceeded: 60 per 1 minute' }) }), errorEnvelope])
  .meta({ id: 'Throttled' });

/** Header of every request (spec §4.1). */
export const requestIdHeader = z.object({
  'X-Request-Id': z.string().max(256).optional().meta({ description: '1 to 256 visible ASCII characters; echoed. Generated when absent.' }),
});

/** Routing headers of a chat turn (spec §4.1). */
export const routingHeaders = requestIdHeader.extend({
  'X-Service-Conversation-Id': z.uuid().optional().meta({ description: 'Continues a conversation; from the header of an earlier answer.' }),
  'X-Service-Upstream-Project': z.string().optional().meta({ description: 'Slug, not id, of an upstream project.' }),
  'X-Service-Project': z.string().optional().meta({ description: 'Slug of an internal, admin-managed project.' }),
  'X-Service-Upstream-Account': z.string().optional().meta({ description: 'Label of the account to use.' }),
  'X-Service-Route-Profile': z.string().optional().meta({ description: 'Slug of a routing profile.' }),
  'Idempotency-Key': z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Same key and body: the first turn’s result; same key, other body: 422.' }),
});

/** Headers of a request for a file. */
export const partHeader = requestIdHeader.extend({
  Range: z.string().optional().meta({ description: 'The part that is wanted, such as `bytes=0-1023`.' }),
  'If-Range': z.string().optional().meta({ description: 'An ETag: the whole file when it is another one by now.' }),
  'If-None-Match': z.string().optional().meta({ description: 'An ETag: 304 when the file is still that one.' }),
});

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const whole = (description: string) => ({ description, schema: { type: 'integer' as const } });

/** Header of every answer. */
export const answerHeaders = { 'X-Request-Id': text('The id of the request.') };

/** Headers of an answered chat turn. */
export const chatHeaders = { ...answerHeaders, 'X-Service-Conversation-Id': text('The conversation the turn belongs to.') };

/** Headers of a file. */
export const binaryHeaders = {
  ...answerHeaders,
  'Content-Type': text('What the file is, by its content.'),
  'Content-Disposition': text('`attachment` and the name of the file.'),
  'Content-Length': whole('Bytes of the answer.'),
  'Content-Range': text('Which part it is, of how many bytes; only where a part is answered.'),
  'Accept-Ranges': text('`bytes`.'),
  ETag: text('Changes with the bytes.'),
};

/** Headers of a page of a list. */
export const pageHeaders = {
  ...answerHeaders,
  'X-Total-Count': whole('Items in all.'),
  Link: text('RFC 8288 links: first, prev, next, last.'),
};

/** Headers of an error. */
export const errorHeaders = {
  ...answerHeaders,
  'Retry-After': whole('Seconds to wait, where that is known.'),
  'x-should-retry': text('`false` when a retry is of no use.'),
};

/** Headers of every answer of a throttled operation (spec §8). */
export const limitHeaders = {
  'X-RateLimit-Limit': whole('Requests that the address of the client may make in a period.'),
  'X-RateLimit-Remaining': whole('Requests left in this period.'),
  'X-RateLimit-Reset': whole('Seconds from now until the period ends.'),
};

/** Headers of a refusal by the throttle. */
export const throttledHeaders = { ...errorHeaders, ...limitHeaders };
