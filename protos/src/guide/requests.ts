import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

/** What is wrong with a request by itself. */
export const REQUESTS = {
  UNSUPPORTED_PARAMETER: {
    meaning: 'The gateway knows this parameter and cannot do what it asks for.',
    cause:
      '`tools`, `tool_choice`, `n` above 1 and `logprobs` are refused on chat: upstream accounts are chat products, which have none of these. ' +
      '`error.param` names the parameter.',
    remedy:
      'Leave the parameter out. `null`, `n: 1` and `logprobs: false` count as left out. Agents and editors must be set to plain chat.',
  },
  UNSUPPORTED_FILE_TYPE: {
    meaning: 'Files of this type are not taken.',
    cause:
      'What a file is, is told by its content and its extension together. They disagree, or the type is not on the list (programs, SVG and HTML are not).',
    remedy:
      'Send the file under its true name and type, or convert it: PDF, DOCX, XLSX, PPTX, CSV, JSON, text, code, PNG, JPEG, GIF, WebP, WAV, MP3 and ZIP are taken.',
  },
  INVALID_REQUEST: {
    meaning: 'The request cannot be understood, or the upstream rejected it.',
    cause:
      'It is no well-formed HTTP (two `Host` headers, a path that does not decode), names a model that there is not, or the upstream has answered 400.',
    remedy: 'Look at `error.param` first. For a model, choose one of `GET /v1/models`, or `auto`.',
  },
  VALIDATION_ERROR: {
    meaning: 'A field, header or query parameter is not what it must be.',
    cause:
      'Something required is missing, of the wrong type or out of its bounds; the JSON is broken, too deep or holds U+0000; a parameter came twice; or an ' +
      '`Idempotency-Key` was used again with another body. `error.param` names the place, `error.message` says what is expected.',
    remedy: 'Mend the request; the API description at `/openapi-public.json` has the schema of every operation.',
  },
  INVALID_MEMORY_POLICY: {
    meaning: 'There is no such memory policy.',
    cause: '`memory_policy` is none of `provider_default`, `account_connected` and `project_only`.',
    remedy: 'Send one of the three, or leave it out.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The file is larger than what is taken.',
    cause: 'Attachments and files of projects have at most 10 MB (10 × 1024 × 1024 bytes), recordings 25 MB.',
    remedy: 'Send a smaller file: split it, or compress the recording.',
  },
  NOT_FOUND: {
    meaning: 'There is no such path.',
    cause: 'The path was mistyped, lacks `/v1`, or belongs to a part of the OpenAI API that is not offered, such as `/v1/embeddings`.',
    remedy: 'Compare it with `/openapi-public.json`. The base URL of OpenAI’s clients ends in `/v1`.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists, but not with this method.',
    cause: 'For instance `GET /v1/chat/completions`.',
    remedy: 'Use one of the methods that the `Allow` header names.',
  },
  REQUEST_TIMEOUT: {
    meaning: 'The request took too long to arrive.',
    cause: 'Headers must be complete after 30 s, and a body must not pause for longer than that. The connection is closed.',
    remedy: 'Look at the network, and at proxies that hold requests back.',
    retry: 'Yes, once the network is well again; nothing was done.',
  },
  REQUEST_TOO_LARGE: {
    meaning: 'The body is larger than what is taken.',
    cause: 'JSON has at most 20 MiB on chat, pictures in it included, and 1 MiB elsewhere.',
    remedy:
      'Upload files as attachments rather than inside of messages, and continue conversations by `X-Service-Conversation-Id` rather than send all of their history.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is of a type that the operation does not take.',
    cause: '`Content-Type` is missing or another than `application/json`, or than `multipart/form-data` where files are uploaded.',
    remedy: 'Send the right `Content-Type`. For forms let the HTTP library write it, with its boundary.',
  },
  RANGE_NOT_SATISFIABLE: {
    meaning: 'The part that was asked for lies behind the end of the file.',
    cause: 'The `Range` of a download begins at or after its size, often because a download that is complete was continued.',
    remedy: '`Content-Range` tells the size. Ask for a part within it, or without `Range`.',
  },
  HEADERS_TOO_LARGE: {
    meaning: 'The headers of the request are too large.',
    cause: 'All headers together have at most 16 KiB. Cookies of other programs on the same host are the usual reason.',
    remedy: 'Send no cookies; the API needs none.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
