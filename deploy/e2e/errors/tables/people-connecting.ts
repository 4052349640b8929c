import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { Connecting, type Flow, toFlow } from '../../harness/connecting.ts';
import { query } from '../../harness/database.ts';
import { type Answer } from '../../harness/http.ts';
import { type Gateway } from '../../harness/parley.ts';
import { inATenant } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

/** With a flow that has just begun. */
const inAFlow = (act: (connecting: Connecting, flow: Flow, gateway: Gateway) => Promise<Answer>): Provoke =>
  inATenant(async ({ gateway, tenant }) => {
    const connecting = await Connecting.prepare(() => gateway, tenant.workspaceId);
    return act(connecting, toFlow(await connecting.begin()), gateway);
  }, []);

/** As if another process were checking an answer. */
const whileBusy = inAFlow(async (connecting, flow, gateway) => {
  const claim = `UPDATE routing.connect_flows SET claim = gen_random_uuid(), claimed_until = now() + interval '1 hour' WHERE id = $1`;
  await query(gateway, claim, [flow.id]);
  return connecting.answer(flow, { account: connecting.account, password: connecting.password });
});

/** Errors of accounts that are connected step by step. */
export const CONNECTING_ERRORS: readonly Row[] = [
  ['CONNECT_FLOW_NOT_FOUND', 'a flow that there is not', inAFlow((it) => it.person.call('GET', it.path(UNKNOWN_ID)))],
  ['CONNECT_FLOW_BUSY', 'an answer while another one is checked', whileBusy, { waits: true }],
  ['CONNECT_STEP_INVALID', 'an answer without a field that is asked for', inAFlow((it, flow) => it.answer(flow, {})), { param: 'account' }],
  ['CONNECT_REFUSED', 'a wrong password', inAFlow((it, flow) => it.answer(flow, { account: it.account, password: 'a guess' }))],
];
