import { type ErrorCondition } from '../error-catalogue.ts';
import { type GuideEntry } from './guide-entry.ts';

/** Conditions of connect flows, which connect an account step by step. */
export const CONNECT_FLOW_GUIDE = {
  CONNECT_FLOW_NOT_FOUND: {
    meaning: 'There is no such flow, or not any more.',
    cause:
      'A flow lives for 10 minutes and belongs to the login session and the workspace that began it. It ends when the account is connected, when it is cancelled, and at the fifth wrong answer.',
    remedy: 'Begin another one. Nothing of the old one remains, at the provider neither.',
  },
  CONNECT_FLOW_BUSY: {
    meaning: 'Another answer to this step is being checked.',
    cause: 'Two answers were sent at once, for example by a double click. One of them has an effect.',
    remedy: 'Read the flow and go on with the step that it asks for.',
    retry: 'Read the flow first, after a second.',
  },
  CONNECT_STEP_INVALID: {
    meaning: 'The answer does not fit the step.',
    cause:
      'A required field is missing, a field or an action is unknown, a value is too long or none of the choices, or `step` names a step that is over. `param` names the field.',
    remedy: 'Read the flow: `step` lists the fields and actions that it takes. It does not count as a wrong answer.',
  },
  CONNECT_REFUSED: {
    meaning: 'The provider does not accept what was typed.',
    cause:
      'The message says what: a wrong password, key or code, another account than the one that is reconnected, or a base URL without the API.',
    remedy:
      'Read the flow and answer the step that it asks for now. It counts as a wrong answer; `tries_left` of the step shows how many are left, and after the last one the flow has failed.',
  },
} as const satisfies Partial<Record<ErrorCondition, GuideEntry>>;
