import { type Condition } from '@parley/protos/errors';
import { OF_UPSTREAM } from '../../upstream-refusals.ts';

/** What the first look at an account may end with: nothing is stored that does not work. */
export const OF_CREATE = ['ACCOUNT_REAUTH_REQUIRED', ...OF_UPSTREAM] as const satisfies readonly Condition[];

/** What every operation on one account may be refused with. */
export const OF_CONNECTION = ['CONNECTION_NOT_FOUND'] as const satisfies readonly Condition[];

/** The same where it is looked at anew. */
export const OF_CHANGE = [...OF_CONNECTION, ...OF_CREATE] as const satisfies readonly Condition[];
