import { type Condition } from '@parley/protos/errors';
import { OF_UPLOAD } from '../uploads.ts';

/** What keeps an account from doing anything with projects. */
const OF_ACCOUNT = [
  'ACCOUNT_NOT_ACTIVE',
  'ACCOUNT_REAUTH_REQUIRED',
  'ACCOUNT_REAUTH_REQUIRED_SELECTED',
  'NO_HEALTHY_SESSION',
  'PROVIDER_RATE_LIMITED',
  'UPSTREAM_ACCOUNT_NOT_AUTHORIZED',
] as const satisfies readonly Condition[];

/** What every operation on one project may be refused with. */
export const OF_PROJECT = ['PROJECT_NOT_FOUND'] as const satisfies readonly Condition[];

/** What the choice of an account for a new project, and its creation there, may end with. */
export const OF_NEW_PROJECT = [
  ...OF_ACCOUNT,
  'INVALID_MEMORY_POLICY',
  'ACCOUNT_NOT_CONNECTED',
  'TENANT_ACCESS_DENIED',
  'CONNECTION_NOT_FOUND',
  'PROJECT_ALREADY_EXISTS',
  'PROJECT_CREATE_FAILED',
] as const satisfies readonly Condition[];

/** What a change of a project, which its upstream makes too, may end with. */
export const OF_PROJECT_CHANGE = [
  ...OF_PROJECT,
  ...OF_ACCOUNT,
  'PROJECT_ALREADY_EXISTS',
  'PROJECT_UPDATE_FAILED',
] as const satisfies readonly Condition[];

/** The same for its deletion. */
export const OF_PROJECT_END = [...OF_PROJECT, ...OF_ACCOUNT, 'PROJECT_UPDATE_FAILED'] as const satisfies readonly Condition[];

/** What making a project known that exists upstream may be refused with. */
export const OF_REGISTRATION = [
  ...OF_ACCOUNT,
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_BAD_ANSWER',
  'PROVIDER_TIMEOUT',
  'CONNECTION_NOT_FOUND',
  'TENANT_ACCESS_DENIED',
  'UPSTREAM_PROJECT_NOT_FOUND',
  'PROJECT_ALREADY_EXISTS',
] as const satisfies readonly Condition[];

/** What giving a file to a project may be refused with. */
export const OF_NEW_SOURCE = [...OF_PROJECT, ...OF_ACCOUNT, ...OF_UPLOAD] as const satisfies readonly Condition[];

/** What taking a file from a project may be refused with. */
export const OF_SOURCE = [...OF_PROJECT_END, 'SOURCE_NOT_FOUND'] as const satisfies readonly Condition[];
