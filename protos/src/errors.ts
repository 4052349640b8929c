import { CATALOGUE, type Condition, type ErrorRow } from './catalogue.ts';

export { type Condition } from './catalogue.ts';

/** What an error may carry besides its condition and message. */
export interface GatewayErrorOptions extends ErrorOptions {
  /** The offending parameter or header, as `error.param`. */
  param?: string;
  /** How long a retry should wait, where that is known, in milliseconds. */
  retryAfterMs?: number;
  /** What an upstream said; never leaves the process that heard it but for the record and the log. */
  upstream?: UpstreamFacts;
}

/** What is known of the upstream call that failed. */
export interface UpstreamFacts {
  /** HTTP status; absent when none came. */
  status?: number;
  /** What the upstream said, shortened and without secrets. For operators, never for clients. */
  words?: string;
  /** The request was certainly not sent, so that sending it again cannot do anything twice. */
  notSent?: boolean;
}

/**
 * What any part of the gateway throws when it refuses: a row of the catalogue and a message for a person.
 * The message must never hold message content, keys or upstream text.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly condition: Condition;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly upstream: UpstreamFacts | undefined;

  constructor(condition: Condition, message: string, options: GatewayErrorOptions = {}) {
    super(message, options);
    this.condition = condition;
    this.param = options.param;
    this.retryAfterMs = options.retryAfterMs;
    this.upstream = options.upstream;
  }

  /** The catalogue row of this error. */
  get row(): ErrorRow {
    return CATALOGUE[this.condition];
  }

  /** The machine code the client sees. */
  get code(): string {
    return this.row.code;
  }
}

/** True for the name of a catalogue row; what comes over the wire is checked with it. */
export function isCondition(name: string): name is Condition {
  return Object.hasOwn(CATALOGUE, name);
}

/** Any thrown value as a GatewayError; what is not one becomes INTERNAL_ERROR with the cause kept. */
export function toGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('INTERNAL_ERROR', 'internal error', { cause: error });
}
