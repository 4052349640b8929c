import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of actions and their runs. */
export const ACTION_GUIDE = {
  ASSET_INPUT_INVALID: {
    meaning: 'A file that was passed to an action cannot be used.',
    cause:
      'Another run has used it, it has expired, belongs to another workspace or action, is corrupt, or does not exist. The gateway accepts such a run, and it ends as `failed` with this code.',
    remedy: 'Upload the file again with `POST /v1/actions/{slug}/assets`; each upload serves one run.',
  },
  ACTIONS_DISABLED: {
    meaning: 'Actions are not enabled for this workspace.',
    cause: 'The actions service is off, or the workspace does not take part in the beta.',
    remedy: 'Ask the operator to enable actions.',
  },
  ACTION_CONNECTION_REQUIRED: {
    meaning: 'The action requires a connection, and none fits.',
    cause: 'The request has no `connection_id` and the workspace has no default one, or the given one cannot be used for this action.',
    remedy: 'Send the `connection_id` of a connection of `GET /v1/connections`.',
  },
  ACTION_RUN_NOT_CANCELLABLE: {
    meaning: 'The run has already ended.',
    cause: 'The request to cancel arrived after the end of the run.',
    remedy: 'Read the run: its status, verdict and effects show the result.',
  },
  ACTION_STEP_FAILED: {
    meaning: 'A step of a run failed.',
    cause:
      'The `error` of a run has this code when the target of a step rejected the call, the call is not allowed, or its answer does not match the action document.',
    remedy: 'Read the events of the run, then correct the input, the connection or the document.',
  },
  ACTION_RISK_BLOCKED: {
    meaning: 'The rules of the workspace do not allow this action.',
    cause: 'The risk of the action is higher than the workspace allows.',
    remedy: 'Ask the operator to change the limit.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
