import { type Condition } from '../catalogue.ts';
import { type GuideEntry } from './entry.ts';

/** Actions (spec §2.10, §4.8). */
export const ACTIONS = {
  ASSET_INPUT_INVALID: {
    meaning: 'A file that an action was given cannot be used.',
    cause:
      'It was used by another run, has expired, is of another workspace or action, is corrupt, or there is none. Such a run is accepted and ends as `failed` with this code.',
    remedy: 'Upload the file again with `POST /v1/actions/{slug}/assets`; each upload serves one run.',
  },
  ACTIONS_DISABLED: {
    meaning: 'Actions are not open to this workspace.',
    cause: 'The service for actions is off, or the workspace does not take part in the beta.',
    remedy: 'Ask whoever runs the gateway.',
  },
  ACTION_CONNECTION_REQUIRED: {
    meaning: 'The action needs an account, and none fits.',
    cause: 'No `connection_id` was given and there is no default one, or the one given cannot be used for this action.',
    remedy: 'Send the `connection_id` of an account of `GET /v1/connections`.',
  },
  ACTION_RUN_NOT_CANCELLABLE: {
    meaning: 'The run has ended.',
    cause: 'A cancel came after its end.',
    remedy: 'Show the run: its status, verdict and effects say what became of it.',
  },
  ACTION_STEP_FAILED: {
    meaning: 'A step of a run could not be done.',
    cause:
      'It stands in the `error` of a run: what the step calls refused it, is not allowed, or answered what the document does not take.',
    remedy: 'Read the events of the run, and mend the input, the connection or the document.',
  },
  ACTION_RISK_BLOCKED: {
    meaning: 'The rules of the workspace do not allow this action.',
    cause: 'Its risk is higher than what the workspace lets run.',
    remedy: 'Ask whoever runs the gateway.',
  },
} as const satisfies Partial<Record<Condition, GuideEntry>>;
