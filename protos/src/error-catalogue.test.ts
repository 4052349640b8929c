import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE, type ErrorRow } from './error-catalogue.ts';

/** The codes and their aliases by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'UNSUPPORTED_PARAMETER UNSUPPORTED_FILE_TYPE INVALID_REQUEST audio_validation_failed',
  401: 'INVALID_API_KEY invalid_api_key MISSING_API_KEY EXPIRED_API_KEY REVOKED_API_KEY api_key_revoked USER_NOT_ACTIVE',
  403:
    'MISSING_SCOPE insufficient_scope workspace_disabled TENANT_ACCESS_DENIED CONVERSATION_ACCESS_DENIED ASSET_ACCESS_DENIED ' +
    'ACCOUNT_NOT_CONNECTED UPSTREAM_ACCOUNT_NOT_AUTHORIZED ACCOUNT_REAUTH_REQUIRED CONVERSATION_ACCESS_LOST ' +
    'upstream_project_out_of_scope project_out_of_scope ACTIONS_DISABLED ACTION_RISK_BLOCKED',
  404:
    'CONVERSATION_NOT_FOUND conversation_not_found PROJECT_NOT_FOUND ASSET_NOT_FOUND AUDIO_JOB_NOT_FOUND upstream_project_not_found ' +
    'project_not_found route_profile_not_found not_found MESSAGE_NOT_FOUND SOURCE_NOT_FOUND PARTICIPANT_NOT_FOUND ' +
    'CONNECTION_NOT_FOUND AUDIO_PROVIDER_NOT_FOUND ACTION_NOT_FOUND ACTION_RUN_NOT_FOUND REQUEST_NOT_FOUND ' +
    'CONNECT_FLOW_NOT_FOUND',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409:
    'ACCOUNT_NOT_ACTIVE CONVERSATION_CONTINUITY_LOST CONVERSATION_PROJECT_UNAVAILABLE PROJECT_ALREADY_EXISTS ASSET_NOT_READY ' +
    'CONVERSATION_BUSY ASSET_NOT_RETRYABLE AUDIO_NOT_READY AUDIO_JOB_NOT_CANCELLABLE ACTION_RUN_NOT_CANCELLABLE ' +
    'CONNECT_FLOW_BUSY',
  410: 'CONVERSATION_DELETED_UPSTREAM AUDIO_EXPIRED',
  413: 'FILE_TOO_LARGE request_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  419: 'CONVERSATION_SESSION_EXPIRED',
  422:
    'VALIDATION_ERROR wrong_project_header INVALID_MEMORY_POLICY upstream_project_not_configured VOICE_NOT_FOUND ' +
    'ASSET_INPUT_INVALID ACTION_CONNECTION_REQUIRED ACTION_STEP_FAILED ' +
    'CONNECT_STEP_INVALID CONNECT_REFUSED',
  429: 'rate_limit_exceeded PROVIDER_RATE_LIMITED AUDIO_QUOTA_EXCEEDED transcription_rate_limit',
  431: 'headers_too_large',
  499: 'cancelled',
  500: 'internal_error',
  501: 'not_implemented',
  502: 'UPLOAD_FAILED PROJECT_CREATE_FAILED PROJECT_UPDATE_FAILED PROVIDER_UNAVAILABLE',
  503:
    'NO_HEALTHY_SESSION provider_unavailable PROVIDER_UNAVAILABLE ACCOUNT_REAUTH_REQUIRED IMAGE_GENERATION_UNAVAILABLE ' +
    'CONVERSATION_UPSTREAM_UNAVAILABLE shutting_down TRANSCRIPTION_FAILED transcription_disabled transcription_provider_unavailable ' +
    'SERVICE_UNAVAILABLE',
  504: 'PROVIDER_TIMEOUT TRANSCRIPTION_TIMEOUT transcription_timeout TIMEOUT',
};
/** Codes of the surface of people and of the control plane, which the published API does not have. */
const OWN_CODES: Record<number, string> = {
  401: 'SIGN_IN_REQUIRED SIGN_IN_FAILED INVALID_ADMIN_TOKEN OIDC_REFUSED',
  403: 'SECOND_FACTOR_REQUIRED CSRF_REJECTED PERMISSION_DENIED',
  409: 'EMAIL_TAKEN LAST_OWNER',
  410: 'LINK_NOT_VALID',
  429: 'SIGN_IN_DELAYED',
  503: 'OIDC_UNAVAILABLE',
};
const TRANSIENT = ['PROVIDER_RATE_LIMITED', 'PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'CONVERSATION_UPSTREAM_UNAVAILABLE', 'TIMEOUT'];
const LASTING = ['NO_HEALTHY_SESSION', 'ACCOUNT_REAUTH_REQUIRED', 'IMAGE_GENERATION_UNAVAILABLE'];

const rows: readonly ErrorRow[] = Object.values(ERROR_CATALOGUE);
const rowsOf = (code: string) => rows.filter((row) => [row.code, ...row.aliases].includes(code));

const CODE_LIST = [...Object.entries(CODES), ...Object.entries(OWN_CODES)].flatMap(([status, names]) =>
  names.split(' ').map((code) => ({ status: Number(status), code })),
);

describe('the catalogue of errors', () => {
  it.each(CODE_LIST)('has $status $code', ({ status, code }) => {
    expect(rowsOf(code).map(({ http }) => http)).toContain(status);
  });

  it('has no other codes', () => {
    for (const { http, code } of rows) expect(CODE_LIST).toContainEqual({ status: http, code });
  });

  it('marks what is transient as retryable and what lasts as not', () => {
    for (const code of TRANSIENT) for (const { retryable } of rowsOf(code)) expect({ code, retryable }).toEqual({ code, retryable: true });
    for (const code of LASTING) for (const { retryable } of rowsOf(code)) expect({ code, retryable }).toEqual({ code, retryable: false });
  });

  it('gives each condition its own code and status, except those that differ for operators only', () => {
    const refining: readonly string[] = [
      ...['PROVIDER_NO_CREDIT', 'PROVIDER_MODEL_NOT_FOUND'],
      ...['PROVIDER_FORBIDDEN', 'PROVIDER_REJECTED_REQUEST'],
    ];
    const codes = Object.entries(ERROR_CATALOGUE).flatMap(([name, { http, code }]) => (refining.includes(name) ? [] : [`${http} ${code}`]));
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toHaveLength(rows.length - refining.length);
  });
});
