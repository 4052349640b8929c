import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { slug, uuid } from '../fields.ts';
import { paging } from '../paging.ts';

/** The action in a path. */
export const actionParams = z.object({ slug });

/** The run of an action in a path. */
export const runParams = z.object({ slug, run_id: uuid });

/** Query of lists of actions and of their files. */
export const pageQuery = z.object(paging);

/** Errors of every operation on one action. */
export const ACTION_ERRORS = ['ACTION_NOT_FOUND'] as const satisfies readonly Condition[];

/** Errors of every operation on one run. */
export const RUN_ERRORS = ['ACTION_RUN_NOT_FOUND'] as const satisfies readonly Condition[];

/** Errors of cancelling a run. */
export const RUN_CANCEL_ERRORS = [...RUN_ERRORS, 'ACTION_RUN_NOT_CANCELLABLE'] as const satisfies readonly Condition[];

/** Errors of a file for an action, besides those of an invalid form. */
export const ACTION_ASSET_ERRORS = [...ACTION_ERRORS, 'UNSUPPORTED_FILE_TYPE'] as const satisfies readonly Condition[];

/** Errors of starting a run. */
export const NEW_RUN_ERRORS = [
  ...ACTION_ERRORS,
  'ACTIONS_DISABLED',
  'ACTION_RISK_BLOCKED',
  'ACTION_CONNECTION_REQUIRED',
] as const satisfies readonly Condition[];
