/** A refusal of the gateway, or no answer at all. Codes: https://parley.example.com/docs/errors is `docs/errors` of the repository. */
export class Problem extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** A code of the error catalogue; `NETWORK_ERROR` when no answer came. */
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

/** What a response that is no success says. */
export async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  return parseProblem(body, response);
}

/** The same, of a body that is read already. */
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

/** What a rejected `fetch` means; a refusal stays what it is. */
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
