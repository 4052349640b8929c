import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { slug, uuid } from '../fields.ts';
import { paging } from '../paging.ts';

/** The action a path names. */
export const actionParams = z.object({ slug });

/** The run of an action a path names. */
export const runParams = z.object({ slug, run_id: uuid });

/** Query of lists of actions and of their files. */
export const pageQuery = z.object(paging);

/** What every operation on one action may be refused with. */
export const ACTION_ERRORS = ['ACTION_NOT_FOUND'] as const satisfies readonly Condition[];

/** What every operation on one run may be refused with. */
export const RUN_ERRORS = ['ACTION_RUN_NOT_FOUND'] as const satisfies readonly Condition[];

/** What stopping a run may be refused with. */
export const RUN_CANCEL_ERRORS = [...RUN_ERRORS, 'ACTION_RUN_NOT_CANCELLABLE'] as const satisfies readonly Condition[];

/** What a file for an action may be refused with, besides what is wrong with the form. */
export const ACTION_ASSET_ERRORS = [...ACTION_ERRORS, 'UNSUPPORTED_FILE_TYPE'] as const satisfies readonly Condition[];

/** What a run may be refused with. */
export const NEW_RUN_ERRORS = [
  ...ACTION_ERRORS,
  'ACTIONS_DISABLED',
  'ACTION_RISK_BLOCKED',
  'ACTION_CONNECTION_REQUIRED',
] as const satisfies readonly Condition[];
