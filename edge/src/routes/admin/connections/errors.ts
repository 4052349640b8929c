import { type Condition } from '@parley/protos/errors';
import { UPSTREAM_ERRORS } from '../../upstream-errors.ts';

/** What the first look at an account may end with: nothing is stored that does not work. */
export const NEW_CONNECTION_ERRORS = ['ACCOUNT_REAUTH_REQUIRED', ...UPSTREAM_ERRORS] as const satisfies readonly Condition[];

/** What every operation on one account may be refused with. */
export const CONNECTION_ERRORS = ['CONNECTION_NOT_FOUND'] as const satisfies readonly Condition[];

/** The same where it is looked at anew. */
export const CONNECTION_UPDATE_ERRORS = [...CONNECTION_ERRORS, ...NEW_CONNECTION_ERRORS] as const satisfies readonly Condition[];
