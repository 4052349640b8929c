import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { createRun, makeRunner, requestRun, runEnded } from '../../harness/actions.ts';
import { type Answer, call } from '../../harness/http.ts';
import { publishSmall, type SmallAction } from '../../harness/small-actions.ts';
import { type Uploader } from '../../harness/upload.ts';
import { inATenant } from '../error-context.ts';
import { type FailedRow, type Provoke, type Row } from '../row.ts';

const NOTE: SmallAction = { slug: 'write-a-note' };
const CONNECTED: SmallAction = { slug: 'write-to-an-api', says: { 'x-parley-connection': true } };
const IRREVERSIBLE: SmallAction = { slug: 'burn-a-note', step: { 'x-parley-risk': 'irreversible' } };
const UNMET: SmallAction = { slug: 'want-too-much', step: { successCriteria: [{ condition: '$statusCode == 500' }] } };
const NO_INPUT = { input: {} };

/** In a workspace of the beta. */
const inTheBeta =
  (act: (me: Uploader) => Promise<Answer>, action = NOTE): Provoke =>
  async (gateway) => {
    await publishSmall(gateway, action);
    return act((await makeRunner(() => gateway, [])).me);
  };
const looking = (path: string): Provoke => inTheBeta(({ gateway, key }) => call(gateway, 'GET', `/v1/actions/${path}`, { key }));
const running = (action: SmallAction): Provoke => inTheBeta((me) => requestRun(me, action.slug, NO_INPUT), action);

const outsideTheBeta: Provoke = inATenant(async ({ gateway, anotherKey }) => {
  await publishSmall(gateway, NOTE);
  return requestRun({ gateway, key: await anotherKey({ scopes: ['actions:run'] }) }, NOTE.slug, NO_INPUT);
}, []);

const cancelledTooLate: Provoke = inTheBeta(async (me) => {
  const { id } = await runEnded(me, await createRun(me, NOTE.slug, { text: 'hello' }));
  return call(me.gateway, 'POST', `/v1/actions/${NOTE.slug}/runs/${id}/cancel`, { key: me.key });
});

/** Errors of actions and their runs. */
export const ACTION_ERRORS: readonly Row[] = [
  ['ACTION_NOT_FOUND', 'an action that there is not', looking('no-such-action')],
  ['ACTION_RUN_NOT_FOUND', 'a run that there is not', looking(`${NOTE.slug}/runs/${UNKNOWN_ID}`)],
  ['ACTIONS_DISABLED', 'a run in a workspace outside the beta', outsideTheBeta],
  ['ACTION_RISK_BLOCKED', 'a run of an action that is riskier than may be run', running(IRREVERSIBLE)],
  ['ACTION_CONNECTION_REQUIRED', 'a run without the connection it needs', running(CONNECTED), { param: 'connection_id' }],
  ['ACTION_RUN_NOT_CANCELLABLE', 'a run that has ended', cancelledTooLate],
];

/** Runs an action in a workspace of the beta; gives how that ended. */
const failing =
  (action: SmallAction, input: Record<string, unknown>): FailedRow[2] =>
  async (gateway) => {
    const { me } = await makeRunner(() => gateway, []);
    await publishSmall(gateway, action);
    return runEnded(me, await createRun(me, action.slug, input));
  };

/** What accepted runs fail with: no request is refused with these. */
export const RUN_ERRORS: readonly FailedRow[] = [
  ['ASSET_INPUT_INVALID', 'a file that there is not', failing(NOTE, { text: 'hello', file: { asset_id: UNKNOWN_ID } })],
  ['ACTION_STEP_FAILED', 'a step that does not meet its criteria', failing(UNMET, { text: 'hello' })],
];
