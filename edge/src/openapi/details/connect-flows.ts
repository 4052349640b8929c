import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const STEP = {
  ...{ number: 1, kind: 'password', message: 'Sign in with your account.', actions: [], tries_left: 5, url: null },
  fields: [
    { name: 'account', label: 'Account', kind: 'text', required: true, placeholder: null, choices: [], max_length: 200 },
    { name: 'password', label: 'Password', kind: 'password', required: true, placeholder: null, choices: [], max_length: 10_000 },
  ],
};
const FLOW = {
  ...{ id: SAMPLE.run, provider: 'sandbox', connection_id: null, status: 'open', expires_at: SAMPLE.later },
  ...{ step: STEP, connection: null, reason: null },
};

/** Descriptions and examples of the flows that connect accounts step by step. */
export const CONNECT_FLOW_DETAILS: DetailsByOperationId = {
  listConnectProviders: {
    description: 'Providers whose accounts can be connected here.',
    response: [{ provider: 'sandbox', title: 'Sandbox', purpose: 'chat' }],
  },
  createConnectFlow: {
    description:
      'A flow belongs to the login session that began it, lives 10 minutes, and takes five wrong answers. Reconnecting keeps everything that is bound to the connection. ' +
      'Base URLs that are not public need a role for the whole gateway.',
    request: { workspace_id: SAMPLE.workspace, provider: 'sandbox' },
    response: FLOW,
  },
  getConnectFlow: { description: 'What the flow asks for now, or how it ended. Nothing that was typed is shown.', response: FLOW },
  answerConnectFlow: {
    description:
      'Answers the fields of a step, or takes one of its actions. A refusal by the upstream counts as a try; an upstream that does not answer does not.',
    request: { step: 1, answers: { account: 'ada', password: 'a password' } },
    response: {
      ...FLOW,
      step: { ...STEP, number: 2, kind: 'one_time_code', message: 'Type the code that was sent to you.', fields: [] },
    },
  },
  deleteConnectFlow: { description: 'Ends the flow; nothing of it remains here, and no session at the provider.' },
};
