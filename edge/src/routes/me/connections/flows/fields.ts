import { type Condition } from '@parley/protos/errors';
import { z } from 'zod';
import { uuid } from '../../../fields.ts';

/** A flow by its id. */
export const flowParams = z.object({ flow_id: uuid });

/** The workspace that the account is connected for. */
export const flowQuery = z.object({ workspace_id: uuid });

/** Errors of beginning a flow. */
export const NEW_FLOW_ERRORS: readonly Condition[] = ['CONNECTION_NOT_FOUND'];
/** Errors of reading or ending one. */
export const FLOW_ERRORS: readonly Condition[] = ['CONNECT_FLOW_NOT_FOUND'];
/** Errors of an answer. */
export const ANSWER_ERRORS: readonly Condition[] = [
  ...['CONNECT_FLOW_NOT_FOUND', 'CONNECT_FLOW_BUSY', 'CONNECT_STEP_INVALID', 'CONNECT_REFUSED'],
  ...['PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'PROVIDER_RATE_LIMITED'],
] as const satisfies readonly Condition[];
