import { type ErrorCondition } from '@parley/protos/errors';
import { z } from 'zod';
import { uuid } from '../../../fields.ts';

/** The path parameter with the id of a flow. */
export const flowParams = z.object({ flow_id: uuid });

/** Query parameter with the workspace that the account is connected to. */
export const flowQuery = z.object({ workspace_id: uuid });

/** Error codes of starting a flow. */
export const NEW_FLOW_ERRORS: readonly ErrorCondition[] = ['CONNECTION_NOT_FOUND'];
/** Error codes of reading or cancelling a flow. */
export const FLOW_ERRORS: readonly ErrorCondition[] = ['CONNECT_FLOW_NOT_FOUND'];
/** Error codes of answering a step. */
export const FLOW_ANSWER_ERRORS: readonly ErrorCondition[] = [
  ...['CONNECT_FLOW_NOT_FOUND', 'CONNECT_FLOW_BUSY', 'CONNECT_STEP_INVALID', 'CONNECT_REFUSED'],
  ...['PROVIDER_UNAVAILABLE', 'PROVIDER_TIMEOUT', 'PROVIDER_RATE_LIMITED'],
] as const satisfies readonly ErrorCondition[];
