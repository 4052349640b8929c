import { describe, expect, it } from '@jest/globals';
import { CATALOGUE, type ErrorRow } from './catalogue.ts';

/** Every code that spec §5 to §7 names, by its status. */
const SPECIFIED: Readonly<Record<number, string>> = {
  400: 'UNSUPPORTED_PARAMETER UNSUPPORTED_FILE_TYPE INVALID_REQUEST audio_validation_failed',
  401: 'INVALID_API_KEY invalid_api_key MISSING_API_KEY EXPIRED_API_KEY REVOKED_API_KEY api_key_revoked USER_NOT_ACTIVE',
  403:
    'MISSING_SCOPE insufficient_scope workspace_disabled TENANT_ACCESS_DENIED CONVERSATION_ACCESS_DENIED ASSET_ACCESS_DENIED ACCOUNT_NOT_CONNECTED ' +
    'UPSTREAM_ACCOUNT_NOT_AUTHORIZED ACCOUNT_REAUTH_REQUIRED CONVERSATION_ACCESS_LOST upstream_project_out_of_scope project_out_of_scope',
  404:
    'CONVERSATION_NOT_FOUND conversation_not_found PROJECT_NOT_FOUND ASSET_NOT_FOUND AUDIO_JOB_NOT_FOUND upstream_project_not_found ' +
    'project_not_found route_profile_not_found',
  409: 'ACCOUNT_NOT_ACTIVE CONVERSATION_CONTINUITY_LOST CONVERSATION_PROJECT_UNAVAILABLE PROJECT_ALREADY_EXISTS ASSET_NOT_READY',
  410: 'CONVERSATION_DELETED_UPSTREAM',
  413: 'FILE_TOO_LARGE',
  419: 'CONVERSATION_SESSION_EXPIRED',
  422: 'VALIDATION_ERROR wrong_project_header INVALID_MEMORY_POLICY upstream_project_not_configured',
  429: 'rate_limit_exceeded PROVIDER_RATE_LIMITED AUDIO_QUOTA_EXCEEDED transcription_rate_limit',
  502: 'UPLOAD_FAILED PROJECT_CREATE_FAILED PROJECT_UPDATE_FAILED PROVIDER_UNAVAILABLE',
  503:
    'NO_HEALTHY_SESSION provider_unavailable PROVIDER_UNAVAILABLE ACCOUNT_REAUTH_REQUIRED IMAGE_GENERATION_UNAVAILABLE ' +
    'CONVERSATION_UPSTREAM_UNAVAILABLE shutting_down TRANSCRIPTION_FAILED transcription_disabled transcription_provider_unavailable',
  504: 'PROVIDER_TIMEOUT TRANSCRIPTION_TIMEOUT transcription_timeout TIMEOUT',
};
/** Those that the specification leaves open, by the status that was decided on. */
const DECIDED: Readonly<Record<number, string>> = {
  403: 'ACTIONS_DISABLED ACTION_RISK_BLOCKED',
  404:
    'not_found MESSAGE_NOT_FOUND SOURCE_NOT_FOUND PARTICIPANT_NOT_FOUND CONNECTION_NOT_FOUND AUDIO_PROVIDER_NOT_FOUND ACTION_NOT_FOUND ' +
    'ACTION_RUN_NOT_FOUND',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'CONVERSATION_BUSY ASSET_NOT_RETRYABLE AUDIO_NOT_READY AUDIO_JOB_NOT_CANCELLABLE ACTION_RUN_NOT_CANCELLABLE',
  410: 'AUDIO_EXPIRED',
  413: 'request_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  422: 'VOICE_NOT_FOUND ASSET_INPUT_INVALID ACTION_CONNECTION_REQUIRED ACTION_STEP_FAILED',
  431: 'headers_too_large',
  499: 'cancelled',
  500: 'internal_error',
  501: 'not_implemented',
  503: 'SERVICE_UNAVAILABLE',
};
const TRANSIENT = ['PROVIDER_RATE_LIMITED', 'PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'CONVERSATION_UPSTREAM_UNAVAILABLE', 'TIMEOUT'];
const LASTING = ['NO_HEALTHY_SESSION', 'ACCOUNT_REAUTH_REQUIRED', 'IMAGE_GENERATION_UNAVAILABLE'];

const rows: readonly ErrorRow[] = Object.values(CATALOGUE);
const rowsOf = (code: string) => rows.filter((row) => [row.code, ...row.aliases].includes(code));

const listed = (codes: Readonly<Record<number, string>>) =>
  Object.entries(codes).flatMap(([status, names]) => names.split(' ').map((code) => ({ status: Number(status), code })));

describe('the catalogue of errors', () => {
  it.each([...listed(SPECIFIED), ...listed(DECIDED)])('has $status $code', ({ status, code }) => {
    expect(rowsOf(code).map(({ http }) => http)).toContain(status);
  });

  it('has nothing else', () => {
    const known = [...listed(SPECIFIED), ...listed(DECIDED)];
    for (const { http, code } of rows) expect(known).toContainEqual({ status: http, code });
  });

  it('says of each what the specification says of trying again', () => {
    for (const code of TRANSIENT) for (const { retryable } of rowsOf(code)) expect({ code, retryable }).toEqual({ code, retryable: true });
    for (const code of LASTING) for (const { retryable } of rowsOf(code)) expect({ code, retryable }).toEqual({ code, retryable: false });
  });

  it('tells conditions apart: no two have the same code and status, but for those that tell more to operators alone', () => {
    const refining: readonly string[] = [
      ...['PROVIDER_NO_CREDIT', 'PROVIDER_MODEL_NOT_FOUND'],
      ...['PROVIDER_FORBIDDEN', 'PROVIDER_REJECTED_REQUEST'],
    ];
    const told = Object.entries(CATALOGUE).flatMap(([name, { http, code }]) => (refining.includes(name) ? [] : [`${http} ${code}`]));
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(rows.length - refining.length);
  });
});
