import { ERROR_CATALOGUE, type ErrorCondition, type ErrorRow } from './error-catalogue.ts';

export { type ErrorCondition } from './error-catalogue.ts';

/** Optional fields of a GatewayError. */
export interface GatewayErrorOptions extends ErrorOptions {
  /** The invalid parameter or header, sent as `error.param`. */
  param?: string;
  /** Delay before a retry in milliseconds, if known. */
  retryAfterMs?: number;
  /** Details of a failed upstream call; only for the record and the log, never for clients. */
  upstream?: UpstreamErrorDetails;
}

/** Details of a failed upstream call. */
export interface UpstreamErrorDetails {
  /** HTTP status; absent when there was no response. */
  status?: number;
  /** Text of the upstream’s response, shortened and without secrets. For operators, never for clients. */
  responseText?: string;
  /** True when the request was certainly not sent, so that a retry cannot repeat its effects. */
  notSent?: boolean;
}

/**
 * The error that every part of the gateway throws: a condition of the catalogue and a message for the client. The message never contains
 * conversation content, keys or upstream text.
 */
export class GatewayError extends Error {
  override name = 'GatewayError';
  readonly condition: ErrorCondition;
  readonly param: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly upstream: UpstreamErrorDetails | undefined;

  constructor(condition: ErrorCondition, message: string, options: GatewayErrorOptions = {}) {
    super(message, options);
    this.condition = condition;
    this.param = options.param;
    this.retryAfterMs = options.retryAfterMs;
    this.upstream = options.upstream;
  }

  /** The catalogue row of this error. */
  get row(): ErrorRow {
    return ERROR_CATALOGUE[this.condition];
  }

  /** The code that the client sees. */
  get code(): string {
    return this.row.code;
  }
}

/** Whether a text is the name of an error condition of this build; checks conditions that arrive over the wire. */
export function isErrorCondition(name: string): name is ErrorCondition {
  return Object.hasOwn(ERROR_CATALOGUE, name);
}

/** Converts any thrown value to a GatewayError; another error becomes INTERNAL_ERROR with its cause. */
export function toGatewayError(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('INTERNAL_ERROR', 'internal error', { cause: error });
}
