import { status } from '@grpc/grpc-js';

/** Value of `error.type`. */
export type ErrorType =
  | 'authentication_error'
  | 'authorization_error'
  | 'account_error'
  | 'not_found_error'
  | 'conversation_error'
  | 'validation_error'
  | 'invalid_request_error'
  | 'routing_error'
  | 'rate_limit_error'
  | 'timeout_error'
  | 'upstream_error'
  | 'feature_unavailable_error'
  | 'api_error';

/** One condition of the error catalogue: what the client receives, and the gRPC status between processes. */
export interface ErrorRow {
  /** Value of `error.code` in responses. */
  code: string;
  /** Other spellings that the OpenAPI document lists for the same condition. */
  aliases: readonly string[];
  http: number;
  grpc: status;
  type: ErrorType;
  /** Whether the same request may succeed later; null when that is unknown. */
  retryable: boolean | null;
}

const NO = { aliases: [], retryable: false } as const;
const YES = { aliases: [], retryable: true } as const;

/**
 * Every error condition of the gateway, by name. The name equals the code, except where one code stands for several conditions with
 * different statuses.
 */
export const ERROR_CATALOGUE = {
  // Authentication
  MISSING_API_KEY: { ...NO, code: 'MISSING_API_KEY', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  INVALID_API_KEY: {
    ...NO,
    code: 'INVALID_API_KEY',
    aliases: ['invalid_api_key'],
    http: 401,
    grpc: status.UNAUTHENTICATED,
    type: 'authentication_error',
  },
  EXPIRED_API_KEY: { ...NO, code: 'EXPIRED_API_KEY', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  REVOKED_API_KEY: {
    ...NO,
    code: 'REVOKED_API_KEY',
    aliases: ['api_key_revoked'],
    http: 401,
    grpc: status.UNAUTHENTICATED,
    type: 'authentication_error',
  },
  USER_NOT_ACTIVE: { ...NO, code: 'USER_NOT_ACTIVE', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  MISSING_SCOPE: {
    ...NO,
    code: 'MISSING_SCOPE',
    aliases: ['insufficient_scope'],
    http: 403,
    grpc: status.PERMISSION_DENIED,
    type: 'authorization_error',
  },
  WORKSPACE_DISABLED: { ...NO, code: 'workspace_disabled', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },
  TENANT_ACCESS_DENIED: { ...NO, code: 'TENANT_ACCESS_DENIED', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },

  // People: sign-in, sessions and the control plane
  SIGN_IN_REQUIRED: { ...NO, code: 'SIGN_IN_REQUIRED', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  SIGN_IN_FAILED: { ...NO, code: 'SIGN_IN_FAILED', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  SIGN_IN_DELAYED: { ...YES, code: 'SIGN_IN_DELAYED', http: 429, grpc: status.RESOURCE_EXHAUSTED, type: 'rate_limit_error' },
  SECOND_FACTOR_REQUIRED: {
    ...NO,
    code: 'SECOND_FACTOR_REQUIRED',
    http: 403,
    grpc: status.PERMISSION_DENIED,
    type: 'authorization_error',
  },
  CSRF_REJECTED: { ...NO, code: 'CSRF_REJECTED', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },
  PERMISSION_DENIED: { ...NO, code: 'PERMISSION_DENIED', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },
  INVALID_ADMIN_TOKEN: { ...NO, code: 'INVALID_ADMIN_TOKEN', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  LINK_NOT_VALID: { ...NO, code: 'LINK_NOT_VALID', http: 410, grpc: status.NOT_FOUND, type: 'not_found_error' },
  EMAIL_TAKEN: { ...NO, code: 'EMAIL_TAKEN', http: 409, grpc: status.ALREADY_EXISTS, type: 'invalid_request_error' },
  LAST_OWNER: { ...NO, code: 'LAST_OWNER', http: 409, grpc: status.FAILED_PRECONDITION, type: 'invalid_request_error' },
  OIDC_REFUSED: { ...NO, code: 'OIDC_REFUSED', http: 401, grpc: status.UNAUTHENTICATED, type: 'authentication_error' },
  OIDC_UNAVAILABLE: { ...YES, code: 'OIDC_UNAVAILABLE', http: 503, grpc: status.UNAVAILABLE, type: 'api_error' },

  // The request itself
  UNSUPPORTED_PARAMETER: { ...NO, code: 'UNSUPPORTED_PARAMETER', http: 400, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  UNSUPPORTED_FILE_TYPE: { ...NO, code: 'UNSUPPORTED_FILE_TYPE', http: 400, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  INVALID_REQUEST: { ...NO, code: 'INVALID_REQUEST', http: 400, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  VALIDATION_ERROR: { ...NO, code: 'VALIDATION_ERROR', http: 422, grpc: status.INVALID_ARGUMENT, type: 'validation_error' },
  INVALID_MEMORY_POLICY: { ...NO, code: 'INVALID_MEMORY_POLICY', http: 422, grpc: status.INVALID_ARGUMENT, type: 'validation_error' },
  FILE_TOO_LARGE: { ...NO, code: 'FILE_TOO_LARGE', http: 413, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  NOT_FOUND: { ...NO, code: 'not_found', http: 404, grpc: status.NOT_FOUND, type: 'invalid_request_error' },
  METHOD_NOT_ALLOWED: { ...NO, code: 'method_not_allowed', http: 405, grpc: status.UNIMPLEMENTED, type: 'invalid_request_error' },
  REQUEST_TIMEOUT: { ...NO, code: 'request_timeout', http: 408, grpc: status.DEADLINE_EXCEEDED, type: 'invalid_request_error' },
  REQUEST_TOO_LARGE: { ...NO, code: 'request_too_large', http: 413, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  UNSUPPORTED_MEDIA_TYPE: {
    ...NO,
    code: 'unsupported_media_type',
    http: 415,
    grpc: status.INVALID_ARGUMENT,
    type: 'invalid_request_error',
  },
  RANGE_NOT_SATISFIABLE: {
    ...NO,
    code: 'range_not_satisfiable',
    http: 416,
    grpc: status.OUT_OF_RANGE,
    type: 'invalid_request_error',
  },
  HEADERS_TOO_LARGE: { ...NO, code: 'headers_too_large', http: 431, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },

  // Resources
  CONVERSATION_NOT_FOUND: {
    ...NO,
    code: 'CONVERSATION_NOT_FOUND',
    aliases: ['conversation_not_found'],
    http: 404,
    grpc: status.NOT_FOUND,
    type: 'not_found_error',
  },
  MESSAGE_NOT_FOUND: { ...NO, code: 'MESSAGE_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  PARTICIPANT_NOT_FOUND: { ...NO, code: 'PARTICIPANT_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  PROJECT_NOT_FOUND: { ...NO, code: 'PROJECT_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  SOURCE_NOT_FOUND: { ...NO, code: 'SOURCE_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  CONNECTION_NOT_FOUND: { ...NO, code: 'CONNECTION_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  ASSET_NOT_FOUND: { ...NO, code: 'ASSET_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  AUDIO_JOB_NOT_FOUND: { ...NO, code: 'AUDIO_JOB_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  AUDIO_PROVIDER_NOT_FOUND: { ...NO, code: 'AUDIO_PROVIDER_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  VOICE_NOT_FOUND: { ...NO, code: 'VOICE_NOT_FOUND', http: 422, grpc: status.INVALID_ARGUMENT, type: 'not_found_error' },
  ACTION_NOT_FOUND: { ...NO, code: 'ACTION_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  ACTION_RUN_NOT_FOUND: { ...NO, code: 'ACTION_RUN_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  REQUEST_NOT_FOUND: { ...NO, code: 'REQUEST_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },

  // Conversations and their continuity
  CONVERSATION_ACCESS_DENIED: {
    ...NO,
    code: 'CONVERSATION_ACCESS_DENIED',
    http: 403,
    grpc: status.PERMISSION_DENIED,
    type: 'authorization_error',
  },
  CONVERSATION_ACCESS_LOST: {
    ...NO,
    code: 'CONVERSATION_ACCESS_LOST',
    http: 403,
    grpc: status.FAILED_PRECONDITION,
    type: 'conversation_error',
  },
  CONVERSATION_CONTINUITY_LOST: {
    ...NO,
    code: 'CONVERSATION_CONTINUITY_LOST',
    http: 409,
    grpc: status.FAILED_PRECONDITION,
    type: 'conversation_error',
  },
  CONVERSATION_PROJECT_UNAVAILABLE: {
    ...NO,
    code: 'CONVERSATION_PROJECT_UNAVAILABLE',
    http: 409,
    grpc: status.FAILED_PRECONDITION,
    type: 'conversation_error',
  },
  CONVERSATION_DELETED_UPSTREAM: {
    ...NO,
    code: 'CONVERSATION_DELETED_UPSTREAM',
    http: 410,
    grpc: status.FAILED_PRECONDITION,
    type: 'conversation_error',
  },
  CONVERSATION_SESSION_EXPIRED: {
    ...NO,
    code: 'CONVERSATION_SESSION_EXPIRED',
    http: 419,
    grpc: status.FAILED_PRECONDITION,
    type: 'conversation_error',
  },
  CONVERSATION_UPSTREAM_UNAVAILABLE: {
    ...YES,
    code: 'CONVERSATION_UPSTREAM_UNAVAILABLE',
    http: 503,
    grpc: status.UNAVAILABLE,
    type: 'conversation_error',
  },
  CONVERSATION_BUSY: { ...YES, code: 'CONVERSATION_BUSY', http: 409, grpc: status.ABORTED, type: 'conversation_error' },

  // Accounts and routing
  ACCOUNT_NOT_CONNECTED: { ...NO, code: 'ACCOUNT_NOT_CONNECTED', http: 403, grpc: status.FAILED_PRECONDITION, type: 'account_error' },
  ACCOUNT_NOT_ACTIVE: { ...NO, code: 'ACCOUNT_NOT_ACTIVE', http: 409, grpc: status.FAILED_PRECONDITION, type: 'account_error' },
  UPSTREAM_ACCOUNT_NOT_AUTHORIZED: {
    ...NO,
    code: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
    http: 403,
    grpc: status.PERMISSION_DENIED,
    type: 'account_error',
  },
  /** The session of the connection expired during a turn. */
  ACCOUNT_REAUTH_REQUIRED: { ...NO, code: 'ACCOUNT_REAUTH_REQUIRED', http: 403, grpc: status.FAILED_PRECONDITION, type: 'account_error' },
  /** The request selects a connection whose session is known to have expired. */
  ACCOUNT_REAUTH_REQUIRED_SELECTED: {
    ...NO,
    code: 'ACCOUNT_REAUTH_REQUIRED',
    http: 503,
    grpc: status.FAILED_PRECONDITION,
    type: 'account_error',
  },
  NO_HEALTHY_SESSION: { ...NO, code: 'NO_HEALTHY_SESSION', http: 503, grpc: status.UNAVAILABLE, type: 'account_error' },
  UPSTREAM_PROJECT_NOT_FOUND: { ...NO, code: 'upstream_project_not_found', http: 404, grpc: status.NOT_FOUND, type: 'routing_error' },
  UPSTREAM_PROJECT_OUT_OF_SCOPE: {
    ...NO,
    code: 'upstream_project_out_of_scope',
    http: 403,
    grpc: status.PERMISSION_DENIED,
    type: 'routing_error',
  },
  UPSTREAM_PROJECT_NOT_CONFIGURED: {
    ...NO,
    code: 'upstream_project_not_configured',
    http: 422,
    grpc: status.FAILED_PRECONDITION,
    type: 'routing_error',
  },
  INTERNAL_PROJECT_NOT_FOUND: { ...NO, code: 'project_not_found', http: 404, grpc: status.NOT_FOUND, type: 'routing_error' },
  INTERNAL_PROJECT_OUT_OF_SCOPE: { ...NO, code: 'project_out_of_scope', http: 403, grpc: status.PERMISSION_DENIED, type: 'routing_error' },
  WRONG_PROJECT_HEADER: { ...NO, code: 'wrong_project_header', http: 422, grpc: status.INVALID_ARGUMENT, type: 'routing_error' },
  ROUTE_PROFILE_NOT_FOUND: { ...NO, code: 'route_profile_not_found', http: 404, grpc: status.NOT_FOUND, type: 'routing_error' },

  // Connecting an account
  /** The connect flow is unknown, belongs to another session or workspace, has ended or has expired. */
  CONNECT_FLOW_NOT_FOUND: { ...NO, code: 'CONNECT_FLOW_NOT_FOUND', http: 404, grpc: status.NOT_FOUND, type: 'not_found_error' },
  CONNECT_FLOW_BUSY: { ...YES, code: 'CONNECT_FLOW_BUSY', http: 409, grpc: status.ABORTED, type: 'account_error' },
  CONNECT_STEP_INVALID: { ...NO, code: 'CONNECT_STEP_INVALID', http: 422, grpc: status.INVALID_ARGUMENT, type: 'validation_error' },
  /** The upstream rejects the input of a connect step. */
  CONNECT_REFUSED: { ...NO, code: 'CONNECT_REFUSED', http: 422, grpc: status.FAILED_PRECONDITION, type: 'account_error' },

  // Upstream providers
  PROVIDER_RATE_LIMITED: { ...YES, code: 'PROVIDER_RATE_LIMITED', http: 429, grpc: status.RESOURCE_EXHAUSTED, type: 'rate_limit_error' },
  /** The provider cannot be reached or is down. */
  PROVIDER_UNAVAILABLE: {
    ...YES,
    code: 'PROVIDER_UNAVAILABLE',
    aliases: ['provider_unavailable'],
    http: 503,
    grpc: status.UNAVAILABLE,
    type: 'upstream_error',
  },
  /** The provider’s answer is malformed or incomplete. */
  PROVIDER_BAD_ANSWER: {
    ...YES,
    code: 'PROVIDER_UNAVAILABLE',
    aliases: ['provider_unavailable'],
    http: 502,
    grpc: status.UNAVAILABLE,
    type: 'upstream_error',
  },
  /** The account has no credit left at the provider: HTTP 402, or a quota that is used up. */
  PROVIDER_NO_CREDIT: {
    ...YES,
    code: 'PROVIDER_UNAVAILABLE',
    aliases: ['provider_unavailable'],
    http: 503,
    grpc: status.UNAVAILABLE,
    type: 'upstream_error',
  },
  /** The provider does not know the model on this connection, although it may have listed it. */
  PROVIDER_MODEL_NOT_FOUND: {
    ...NO,
    code: 'INVALID_REQUEST',
    http: 400,
    grpc: status.INVALID_ARGUMENT,
    type: 'invalid_request_error',
  },
  /** The provider forbids the request; a probe checks whether it still accepts the credentials. */
  PROVIDER_FORBIDDEN: { ...NO, code: 'INVALID_REQUEST', http: 400, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  /** The provider rejects the request itself: HTTP 400, 413 or 422. */
  PROVIDER_REJECTED_REQUEST: { ...NO, code: 'INVALID_REQUEST', http: 400, grpc: status.INVALID_ARGUMENT, type: 'invalid_request_error' },
  PROVIDER_TIMEOUT: { ...YES, code: 'PROVIDER_TIMEOUT', http: 504, grpc: status.DEADLINE_EXCEEDED, type: 'timeout_error' },
  IMAGE_GENERATION_UNAVAILABLE: {
    ...NO,
    code: 'IMAGE_GENERATION_UNAVAILABLE',
    http: 503,
    grpc: status.FAILED_PRECONDITION,
    type: 'feature_unavailable_error',
  },
  UPLOAD_FAILED: { ...YES, code: 'UPLOAD_FAILED', http: 502, grpc: status.UNAVAILABLE, type: 'upstream_error' },
  PROJECT_CREATE_FAILED: { ...YES, code: 'PROJECT_CREATE_FAILED', http: 502, grpc: status.UNAVAILABLE, type: 'upstream_error' },
  PROJECT_UPDATE_FAILED: { ...YES, code: 'PROJECT_UPDATE_FAILED', http: 502, grpc: status.UNAVAILABLE, type: 'upstream_error' },
  PROJECT_ALREADY_EXISTS: { ...NO, code: 'PROJECT_ALREADY_EXISTS', http: 409, grpc: status.ALREADY_EXISTS, type: 'validation_error' },

  // Assets
  ASSET_ACCESS_DENIED: { ...NO, code: 'ASSET_ACCESS_DENIED', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },
  ASSET_NOT_READY: { ...YES, code: 'ASSET_NOT_READY', http: 409, grpc: status.FAILED_PRECONDITION, type: 'invalid_request_error' },
  ASSET_NOT_RETRYABLE: { ...NO, code: 'ASSET_NOT_RETRYABLE', http: 409, grpc: status.FAILED_PRECONDITION, type: 'invalid_request_error' },
  ASSET_INPUT_INVALID: { ...NO, code: 'ASSET_INPUT_INVALID', http: 422, grpc: status.INVALID_ARGUMENT, type: 'validation_error' },

  // Audio
  AUDIO_VALIDATION_FAILED: { ...NO, code: 'audio_validation_failed', http: 400, grpc: status.INVALID_ARGUMENT, type: 'validation_error' },
  AUDIO_NOT_READY: { ...YES, code: 'AUDIO_NOT_READY', http: 409, grpc: status.FAILED_PRECONDITION, type: 'invalid_request_error' },
  AUDIO_EXPIRED: { ...NO, code: 'AUDIO_EXPIRED', http: 410, grpc: status.FAILED_PRECONDITION, type: 'not_found_error' },
  AUDIO_JOB_NOT_CANCELLABLE: {
    ...NO,
    code: 'AUDIO_JOB_NOT_CANCELLABLE',
    http: 409,
    grpc: status.FAILED_PRECONDITION,
    type: 'invalid_request_error',
  },
  AUDIO_QUOTA_EXCEEDED: { ...NO, code: 'AUDIO_QUOTA_EXCEEDED', http: 429, grpc: status.RESOURCE_EXHAUSTED, type: 'rate_limit_error' },
  TRANSCRIPTION_RATE_LIMIT: {
    ...YES,
    code: 'transcription_rate_limit',
    http: 429,
    grpc: status.RESOURCE_EXHAUSTED,
    type: 'rate_limit_error',
  },
  TRANSCRIPTION_FAILED: { ...YES, code: 'TRANSCRIPTION_FAILED', http: 503, grpc: status.UNAVAILABLE, type: 'upstream_error' },
  TRANSCRIPTION_DISABLED: {
    ...NO,
    code: 'transcription_disabled',
    http: 503,
    grpc: status.FAILED_PRECONDITION,
    type: 'feature_unavailable_error',
  },
  TRANSCRIPTION_PROVIDER_UNAVAILABLE: {
    ...YES,
    code: 'transcription_provider_unavailable',
    http: 503,
    grpc: status.UNAVAILABLE,
    type: 'upstream_error',
  },
  TRANSCRIPTION_TIMEOUT: {
    ...YES,
    code: 'TRANSCRIPTION_TIMEOUT',
    aliases: ['transcription_timeout'],
    http: 504,
    grpc: status.DEADLINE_EXCEEDED,
    type: 'timeout_error',
  },

  // Actions
  ACTIONS_DISABLED: { ...NO, code: 'ACTIONS_DISABLED', http: 403, grpc: status.FAILED_PRECONDITION, type: 'feature_unavailable_error' },
  ACTION_CONNECTION_REQUIRED: {
    ...NO,
    code: 'ACTION_CONNECTION_REQUIRED',
    http: 422,
    grpc: status.FAILED_PRECONDITION,
    type: 'validation_error',
  },
  ACTION_RUN_NOT_CANCELLABLE: {
    ...NO,
    code: 'ACTION_RUN_NOT_CANCELLABLE',
    http: 409,
    grpc: status.FAILED_PRECONDITION,
    type: 'invalid_request_error',
  },
  /** The error of a run, not of a request: one of its steps failed. */
  ACTION_STEP_FAILED: { ...NO, code: 'ACTION_STEP_FAILED', http: 422, grpc: status.FAILED_PRECONDITION, type: 'upstream_error' },
  ACTION_RISK_BLOCKED: { ...NO, code: 'ACTION_RISK_BLOCKED', http: 403, grpc: status.PERMISSION_DENIED, type: 'authorization_error' },

  // The gateway itself
  RATE_LIMIT_EXCEEDED: { ...YES, code: 'rate_limit_exceeded', http: 429, grpc: status.RESOURCE_EXHAUSTED, type: 'rate_limit_error' },
  SERVICE_UNAVAILABLE: { ...YES, code: 'SERVICE_UNAVAILABLE', http: 503, grpc: status.UNAVAILABLE, type: 'api_error' },
  SHUTTING_DOWN: { ...YES, code: 'shutting_down', http: 503, grpc: status.UNAVAILABLE, type: 'api_error' },
  TIMEOUT: { ...YES, code: 'TIMEOUT', http: 504, grpc: status.DEADLINE_EXCEEDED, type: 'timeout_error' },
  CANCELLED: { ...NO, code: 'cancelled', http: 499, grpc: status.CANCELLED, type: 'api_error', retryable: null },
  NOT_IMPLEMENTED: { ...NO, code: 'not_implemented', http: 501, grpc: status.UNIMPLEMENTED, type: 'api_error' },
  INTERNAL_ERROR: { ...NO, code: 'internal_error', http: 500, grpc: status.INTERNAL, type: 'api_error', retryable: null },
} as const satisfies Record<string, ErrorRow>;

/** The name of an error condition in the catalogue. */
export type ErrorCondition = keyof typeof ERROR_CATALOGUE;
