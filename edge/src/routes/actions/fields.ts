import { type ErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { slug, uuid } from '../fields.ts';
import { paging } from '../paging.ts';

/** The path parameter with the slug of an action. */
export const actionParams = z.object({ slug });

/** The path parameters of a run of an action. */
export const runParams = z.object({ slug, run_id: uuid });

/** Query parameters of lists of actions and of their files. */
export const pageQuery = z.object(paging);

/** Error codes of every operation on one action. */
export const ACTION_ERRORS = ['ACTION_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of every operation on one run. */
export const RUN_ERRORS = ['ACTION_RUN_NOT_FOUND'] as const satisfies readonly ErrorCondition[];

/** Error codes of cancelling a run. */
export const RUN_CANCEL_ERRORS = [...RUN_ERRORS, 'ACTION_RUN_NOT_CANCELLABLE'] as const satisfies readonly ErrorCondition[];

/** Error codes of an input file of an action, in addition to those of form validation. */
export const ACTION_ASSET_ERRORS = [...ACTION_ERRORS, 'UNSUPPORTED_FILE_TYPE'] as const satisfies readonly ErrorCondition[];

/** Error codes of starting a run. */
export const NEW_RUN_ERRORS = [
  ...ACTION_ERRORS,
  'ACTIONS_DISABLED',
  'ACTION_RISK_BLOCKED',
  'ACTION_CONNECTION_REQUIRED',
] as const satisfies readonly ErrorCondition[];
