import { type ErrorCondition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../../upstream-errors.ts';

/** Error codes of the test of a new connection: only a working one is stored. */
export const NEW_CONNECTION_ERRORS = ['ACCOUNT_REAUTH_REQUIRED', ...UPSTREAM_ERRORS] as const satisfies readonly ErrorCondition[];

/** Error codes of every operation on one connection. */
export const CONNECTION_ERRORS = ['CONNECTION_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of a change that tests the connection again. */
export const CONNECTION_UPDATE_ERRORS = [...CONNECTION_ERRORS, ...NEW_CONNECTION_ERRORS] as const satisfies readonly ErrorCondition[];
