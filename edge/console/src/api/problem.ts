/** An error response of the gateway, or none at all. The codes are those of `docs/errors` (https://parley.example.com/docs/errors). */
export class Problem extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** A code of the error catalogue; `NETWORK_ERROR` without a response. */
  readonly code: string;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly isRetryable: boolean;
  /** Seconds; what `Retry-After` says. */
  readonly retryAfter: number | undefined;

  constructor(facts: ProblemFacts) {
    super(facts.message);
    this.name = 'Problem';
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.requestId = facts.requestId;
    this.isRetryable = facts.isRetryable;
    this.retryAfter = facts.retryAfter;
  }
}

interface ProblemFacts {
  message: string;
  status: number;
  code: string;
  param?: string | undefined;
  requestId?: string | undefined;
  isRetryable: boolean;
  retryAfter?: number | undefined;
}

/** Reads the problem from an error response. */
export async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  return parseProblem(body, response);
}

/** Parses the problem from the body of an error response. */
export function parseProblem(body: unknown, response: Response): Problem {
  const error = record(record(body)['error']);
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new Problem({
    message: text(error['message']) ?? response.statusText,
    status: response.status,
    code: text(error['code']) ?? 'INTERNAL_ERROR',
    param: text(error['param']),
    requestId: text(error['request_id']) ?? response.headers.get('x-request-id') ?? undefined,
    isRetryable: error['retryable'] === true,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Converts the reason of a rejected `fetch`; returns a Problem as it is. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new Problem({ message, status: 0, code: 'NETWORK_ERROR', isRetryable: true });
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value ? value : undefined;
}
