import { type ErrorCondition } from '@parley/protos/errors';
import { SAMPLING_PARAMETERS } from '../domain/sampling-parameters.ts';
import { type ErrorBodyDetails } from './error-body.ts';

/** The gateway's classification of an upstream's error response. */
export interface ErrorClassification {
  condition: ErrorCondition;
  message: string;
  param?: string;
}

/*
 * Codes are compared as a whole. Messages may quote the request, so patterns that pause a connection or a model match only at the beginning
 * of the message, which the upstream wrote; patterns that merely select an error message may match anywhere.
 */
const NO_CREDIT = new Set([
  ...['insufficient_quota', 'insufficient_credits', 'insufficient_balance', 'insufficient_funds', 'insufficient_user_quota'],
  ...['billing_hard_limit_reached', 'billing_not_active', 'billing_disabled', 'billing_error', 'payment_required', 'credit_exhausted'],
]);
const NO_CREDIT_WORDS = /^(your credit balance is too low|insufficient (balance|credits?|funds|quota))/i;

const BAD_KEY = new Set(['invalid_api_key', 'api_key_invalid', 'invalid_authentication_error']);
const BAD_KEY_WORDS = /^(incorrect api key provided|api key not valid)/i;

const NO_MODEL = new Set(['model_not_found', 'model_not_available', 'invalid_model', 'unknown_model', 'deploymentnotfound']);
const NO_MODEL_WORDS = /^(invalid|unknown) model\b|^(the |requested )?models?\b.{0,200}\bnot (found|exist|available)\b/is;

const TOO_LONG = new Set(['context_length_exceeded', 'exceed_context_size_error', 'context_window_exceeded', 'string_above_max_length']);
const TOO_LONG_WORDS =
  /context[ _-]?(length|window|size)|maximum context|too many (input )?tokens|(prompt|input) is too long|reduce the length|exceeds? the (maximum|available).{0,40}tokens/i;

const POLICY = new Set([
  ...['content_filter', 'content_policy_violation', 'image_content_policy_violation', 'responsibleaipolicyviolation'],
  ...['moderation_blocked', 'invalid_prompt', 'bio_policy', 'safety', 'data_inspection_failed', 'content_moderation'],
]);
const POLICY_WORDS = /content[ _](management |usage )?(policy|policies|filter)|\bmoderation\b|\bflagged\b|safety (system|policy|policies)/i;

const PARAMETER = new Set(['unsupported_parameter', 'unknown_parameter', 'unsupported_value', 'extra_forbidden']);
const PARAMETER_WORDS =
  /(unsupported|unknown|unrecognized|invalid) (request )?(parameter|argument|field|value)|extra inputs are not permitted|is not supported with this model/i;

const TOO_LARGE = new Set(['request_too_large', 'payload_too_large', 'request_entity_too_large']);

/** Predicates on the body of an error response, for statuses that are ambiguous. */
export const ERROR_BODY_CHECKS = {
  /** With 429 only codes count, because some upstreams describe a rate limit as a spent quota in the message. */
  noCredit: (status: number, facts: ErrorBodyDetails) =>
    hasCode(facts, NO_CREDIT) || (status !== 429 && NO_CREDIT_WORDS.test(facts.message)),
  badKey: (facts: ErrorBodyDetails) => hasCode(facts, BAD_KEY) || BAD_KEY_WORDS.test(facts.message),
  noModel: (facts: ErrorBodyDetails) => hasCode(facts, NO_MODEL) || NO_MODEL_WORDS.test(facts.message),
  tooLong: (facts: ErrorBodyDetails) => hasCode(facts, TOO_LONG) || TOO_LONG_WORDS.test(facts.message),
  policy: (facts: ErrorBodyDetails) => hasCode(facts, POLICY) || POLICY_WORDS.test(facts.message),
} as const;

/** Classifies a response that rejects the request itself, as PROVIDER_REJECTED_REQUEST with a specific message. */
export function classifyRejection(status: number, facts: ErrorBodyDetails): ErrorClassification {
  const condition = 'PROVIDER_REJECTED_REQUEST';
  if (ERROR_BODY_CHECKS.tooLong(facts)) return { condition, message: 'the conversation is longer than the model takes', param: 'messages' };
  if (ERROR_BODY_CHECKS.policy(facts))
    return { condition, message: 'the provider refuses to answer this: its content policy forbids it', param: 'messages' };
  if (status === 413 || hasCode(facts, TOO_LARGE)) return { condition, message: 'the request is larger than the provider takes' };
  if (hasCode(facts, PARAMETER) || PARAMETER_WORDS.test(facts.message)) {
    const param = SAMPLING_PARAMETERS.find((name) => name === facts.param);
    return { condition, message: 'the model does not take a parameter of the request, or not with this value', ...(param && { param }) };
  }
  return { condition, message: 'the provider rejected the request' };
}

function hasCode({ codes }: ErrorBodyDetails, known: ReadonlySet<string>): boolean {
  return codes.some((code) => known.has(code));
}
