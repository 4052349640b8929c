import { type Condition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../../upstream-errors.ts';

/** Errors of the test of a new connection: only one that works is stored. */
export const NEW_CONNECTION_ERRORS = ['ACCOUNT_REAUTH_REQUIRED', ...UPSTREAM_ERRORS] as const satisfies readonly Condition[];

/** Errors of every operation on one account. */
export const CONNECTION_ERRORS = ['CONNECTION_NOT_FOUND'] as const satisfies readonly Condition[];

/** Errors of a change that tests the connection again. */
export const CONNECTION_UPDATE_ERRORS = [...CONNECTION_ERRORS, ...NEW_CONNECTION_ERRORS] as const satisfies readonly Condition[];
