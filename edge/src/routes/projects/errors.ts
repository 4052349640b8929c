import { type ErrorCondition } from '@parley/protos/errors';
import { UPLOAD_ERRORS } from '../uploads.ts';

/** Error codes of a connection that cannot handle projects. */
const ACCOUNT_ERRORS = [
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  'ACCOUNT_REAUTH_REQUIRED_SELECTED',
  'NO_HEALTHY_SESSION',
  'PROVIDER_RATE_LIMITED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
] as const satisfies readonly ErrorCondition[];

/** Error codes of every operation on one project. */
export const PROJECT_ERRORS = ['PROJECT_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of choosing a connection for a new project, and of creating the project there. */
export const NEW_PROJECT_ERRORS = [
  ...ACCOUNT_ERRORS,
  'INVALID_MEMORY_POLICY',
  'ACCOUNT_NOT_CONNECTED',
  'TENANT_ACCESS_DENIED',
  'CONNECTION_NOT_FOUND',
  'PROJECT_ALREADY_EXISTS',
  'PROJECT_CREATE_FAILED',
] as const satisfies readonly ErrorCondition[];

/** Error codes of changing a project, in the gateway and at its upstream. */
export const PROJECT_UPDATE_ERRORS = [
  ...PROJECT_ERRORS,
  ...ACCOUNT_ERRORS,
  'PROJECT_ALREADY_EXISTS',
  'PROJECT_UPDATE_FAILED',
] as const satisfies readonly ErrorCondition[];

/** Error codes of deleting a project. */
export const PROJECT_DELETE_ERRORS = [
  ...PROJECT_ERRORS,
  ...ACCOUNT_ERRORS,
  'PROJECT_UPDATE_FAILED',
] as const satisfies readonly ErrorCondition[];

/** Error codes of registering a project that exists at an upstream. */
export const PROJECT_REGISTER_ERRORS = [
  ...ACCOUNT_ERRORS,
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_BAD_ANSWER',
  'PROVIDER_TIMEOUT',
  'CONNECTION_NOT_FOUND',
  'TENANT_ACCESS_DENIED',
  'UPSTREAM_PROJECT_NOT_FOUND',
  'PROJECT_ALREADY_EXISTS',
] as const satisfies readonly ErrorCondition[];

/** Error codes of adding a file to a project. */
export const NEW_SOURCE_ERRORS = [...PROJECT_ERRORS, ...ACCOUNT_ERRORS, ...UPLOAD_ERRORS] as const satisfies readonly ErrorCondition[];

/** Error codes of removing a file from a project. */
export const SOURCE_DELETE_ERRORS = [...PROJECT_DELETE_ERRORS, 'SOURCE_NOT_FOUND'] as const satisfies readonly ErrorCondition[];
