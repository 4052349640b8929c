import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of the request itself. */
export const REQUEST_GUIDE = {
  UNSUPPORTED_PARAMETER: {
    meaning: 'The gateway knows this parameter and does not support it.',
    cause:
      'Chat rejects `tools`, `tool_choice`, `n` above 1 and `logprobs`: upstream accounts are chat products, which have none of these. ' +
      '`error.param` names the parameter.',
    remedy: 'Leave the parameter out. `null`, `n: 1` and `logprobs: false` count as left out. Configure agents and editors for plain chat.',
  },
  UNSUPPORTED_FILE_TYPE: {
    meaning: 'Files of this type are not accepted.',
    cause:
      'The gateway determines the type of a file from its content and its extension. The two disagree, or the type is not on the list (programs, SVG and HTML are not).',
    remedy:
      'Send the file with its true name and type, or convert it. Accepted are PDF, DOCX, XLSX, PPTX, CSV, JSON, text, code, PNG, JPEG, GIF, WebP, WAV, MP3 and ZIP.',
  },
  INVALID_REQUEST: {
    meaning: 'The request is malformed, or the upstream rejected it.',
    cause:
      'It is not well-formed HTTP (two `Host` headers, a path that does not decode), names a model that does not exist, or the upstream answered 400.',
    remedy: 'Check `error.param` first. For a model, choose one of `GET /v1/models`, or `auto`.',
  },
  VALIDATION_ERROR: {
    meaning: 'A field, header or query parameter is invalid.',
    cause:
      'A required value is missing, has the wrong type or is out of bounds; the JSON is malformed, too deep or contains U+0000; a parameter occurs twice; or an ' +
      '`Idempotency-Key` was reused with another body. `error.param` names the place, `error.message` says what is expected.',
    remedy: 'Correct the request; the OpenAPI document at `/openapi-public.json` has the schema of every operation.',
  },
  INVALID_MEMORY_POLICY: {
    meaning: 'The memory policy is unknown.',
    cause: '`memory_policy` is not one of `provider_default`, `account_connected` and `project_only`.',
    remedy: 'Send one of the three, or leave it out.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The file is larger than the limit.',
    cause: 'Attachments and project files have at most 10 MB (10 × 1024 × 1024 bytes), recordings 25 MB.',
    remedy: 'Send a smaller file: split it, or compress the recording.',
  },
  NOT_FOUND: {
    meaning: 'The path does not exist.',
    cause:
      'The path is mistyped, lacks `/v1`, or belongs to a part of the OpenAI API that the gateway does not offer, such as `/v1/embeddings`.',
    remedy: 'Compare it with `/openapi-public.json`. The base URL of OpenAI’s clients ends in `/v1`.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this method.',
    cause: 'For instance `GET /v1/chat/completions`.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request took too long to arrive.',
    cause: 'Headers must be complete after 30 s, and a body must not pause for longer than that. The gateway closes the connection.',
    remedy: 'Check the network, and proxies that buffer requests.',
    retry: 'Yes, once the network recovers; nothing was done.',
  },
  REQUEST_TOO_LARGE: {
    meaning: 'The body is larger than the limit.',
    cause: 'JSON has at most 20 MiB on chat, images in it included, and 1 MiB elsewhere.',
    remedy:
      'Upload files as attachments instead of inside messages, and continue conversations by `X-Service-Conversation-Id` instead of sending all of their history.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The operation does not accept this content type.',
    cause: '`Content-Type` is missing, or is neither `application/json` nor, for uploads, `multipart/form-data`.',
    remedy: 'Send the right `Content-Type`. For forms let the HTTP library write it, with its boundary.',
  },
  RANGE_NOT_SATISFIABLE: {
    meaning: 'The requested range is outside the file.',
    cause: 'The `Range` of a download starts at or after the size of the file, often because a complete download was resumed.',
    remedy: '`Content-Range` has the size. Request a range within it, or omit `Range`.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The headers of the request are too large.',
    cause: 'All headers together have at most 16 KiB. Cookies of other programs on the same host are the usual reason.',
    remedy: 'Send no cookies; the API needs none.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
