import { describe, expect, it } from '@jest/globals';
import { beforeEachOnStage } from '../../../test/provider-stage.ts';
import { type StoredFlowMachine, type FlowOutcome } from '../connect-flow.ts';
import { type HttpPools } from '../http-pools.ts';
import { type ReceivedRequest, type TestUpstream } from '../testing/upstream.ts';
import { sandboxFlow } from './connect-flow.ts';

const CHALLENGE = { id: 'sg_1', step: 'one_time_code', sends_left: 3, sent_to: 'a…@sandbox.test' };
const CHOOSE = { id: 'sg_1', step: 'choose_factor', sends_left: 3, factors: ['app', 'email'] };
const SESSION = { token: 'st_1', account: { id: 'ada' } };

describe('the steps of signing in to the sandbox', () => {
  let upstream: TestUpstream;
  let pools: HttpPools;
  let flow: StoredFlowMachine;
  /** Answers by `METHOD /path`; a number is a refusal without a code. */
  let answers: Record<string, [number, object] | number>;
  beforeEachOnStage((stage) => {
    ({ upstream, pools } = stage);
    flow = sandboxFlow(pools, upstream.url);
    answers = { 'GET /api/models': [200, { models: [{ id: 's1' }] }] };
    upstream.script = ({ method, path, res }: ReceivedRequest) => {
      const answer = answers[`${method} ${path}`] ?? 404;
      const [status, body] = typeof answer === 'number' ? [answer, {}] : answer;
      res.writeHead(status, { 'content-type': 'application/json' }).end(status === 204 ? undefined : JSON.stringify(body));
    };
  });
  const begin = (account?: string) =>
    flow.begin({ connectionId: 'c1', mayBePrivate: true, ...(account && { reconnects: { account, baseUrl: upstream.url, models: [] } }) });
  const say = (state: unknown, values: Record<string, string>, action = '') =>
    flow.answer(state, { values, action }, AbortSignal.timeout(20_000));
  const logIn = () => say(begin(), { account: 'ada', password: 'pw' });
  const refuse = (code: string) => [401, { error: { code, message: 'no' } }] as [number, object];
  const stateOf = (outcome: FlowOutcome<unknown>) => ('state' in outcome ? outcome.state : undefined);
  const kindAfter = (outcome: FlowOutcome<unknown>) => flow.getStep(stateOf(outcome)).kind;
  const atChallenge = async (challenge: object = CHALLENGE) => {
    answers['POST /api/session'] = [202, { challenge }];
    return stateOf(await logIn());
  };

  it('end with the session where the password is enough', async () => {
    answers['POST /api/session'] = [200, SESSION];
    await expect(logIn()).resolves.toMatchObject({
      is: 'proven',
      account: { baseUrl: upstream.url, account: 'ada', secret: 'st_1', models: ['s1'], modelsNamed: false },
    });
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer st_1');
  });

  it('keep no password in their states', async () => {
    expect(JSON.stringify(await atChallenge())).not.toContain('pw');
  });

  it('ask what the sandbox asks', async () => {
    const state = await atChallenge();
    expect(flow.getStep(state)).toMatchObject({ kind: 'one_time_code', actions: [{ name: 'resend' }] });
    answers['POST /api/session/challenges/sg_1'] = [202, { challenge: CHOOSE }];
    const choosing = await say(state, { code: '123456' });
    expect(upstream.received.at(-1)?.body).toEqual({ code: '123456' });
    expect(kindAfter(choosing)).toBe('choice');
    answers['POST /api/session/challenges/sg_1'] = [202, { challenge: { ...CHOOSE, step: 'second_factor', factor: 'app' } }];
    const second = await say(stateOf(choosing), { factor: 'app' });
    expect(flow.getStep(stateOf(second))).toMatchObject({ kind: 'one_time_code', actions: [{ name: 'other_factor' }] });
    const asked = upstream.received.length;
    expect(kindAfter(await say(stateOf(second), {}, 'other_factor'))).toBe('choice');
    expect(upstream.received).toHaveLength(asked);
  });

  it('offer no other code when no more are sent, and no other way where there is one', async () => {
    expect(flow.getStep(await atChallenge({ ...CHALLENGE, sends_left: 0 })).actions).toEqual([]);
    const only = { ...CHOOSE, factors: ['email'], step: 'second_factor', factor: 'email', sends_left: 0 };
    expect(flow.getStep(await atChallenge(only)).actions).toEqual([]);
  });

  it.each([
    ['wrong_code', 'the code is wrong', 'one_time_code'],
    ['code_expired', 'the code is too old, ask for another one', 'one_time_code'],
    ['too_many_tries', 'the code is wrong', 'password'],
  ])('are refused for %s', async (code, reason, kind) => {
    const state = await atChallenge();
    answers['POST /api/session/challenges/sg_1'] = refuse(code);
    const outcome = await say(state, { code: '1' });
    expect(outcome).toMatchObject({ is: 'refused', reason });
    expect(flow.getStep(stateOf(outcome) ?? state).kind).toBe(kind);
  });

  it.each(['challenge_not_found', 'challenge_expired'])('begin again for %s', async (code) => {
    const state = await atChallenge();
    answers['POST /api/session/challenges/sg_1'] = refuse(code);
    const outcome = await say(state, { code: '1' });
    expect(outcome.is).toBe('asked');
    expect(kindAfter(outcome)).toBe('password');
  });

  it('look where the sandbox is when it is further', async () => {
    const state = await atChallenge();
    answers['POST /api/session/challenges/sg_1'] = refuse('other_step');
    answers['GET /api/session/challenges/sg_1'] = [200, { challenge: CHOOSE }];
    const outcome = await say(state, { code: '1' });
    expect(outcome.is).toBe('asked');
    expect(kindAfter(outcome)).toBe('choice');
  });

  it.each([500, 503, 429, 404])('throw what is the matter with the sandbox for a %i, and change nothing', async (status) => {
    const state = await atChallenge();
    answers['POST /api/session/challenges/sg_1'] = status;
    await expect(say(state, { code: '1' })).rejects.toMatchObject({ condition: expect.stringMatching(/^PROVIDER_/) });
  });

  it('keep a session that could not be proven yet, and go on with it', async () => {
    answers['POST /api/session'] = [200, SESSION];
    answers['GET /api/models'] = 503;
    const outcome = await logIn();
    expect(outcome).toMatchObject({ is: 'interrupted', error: { condition: 'PROVIDER_UNAVAILABLE' } });
    const state = stateOf(outcome);
    expect(flow.getStep(state).fields).toEqual([]);
    answers['GET /api/models'] = [200, { models: [{ id: 's1' }] }];
    await expect(say(state, {})).resolves.toMatchObject({ is: 'proven', account: { secret: 'st_1' } });
    // One that ended at once is no session.
    answers['GET /api/models'] = refuse('session_expired');
    expect(kindAfter(await say(state, {}))).toBe('password');
  });

  it('close what they opened when they are abandoned', async () => {
    answers['DELETE /api/session/challenges/sg_1'] = [204, {}];
    await flow.abandon(await atChallenge());
    expect(upstream.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/session/challenges/sg_1' });
    answers['POST /api/session'] = [200, SESSION];
    answers['DELETE /api/session'] = [204, {}];
    await flow.abandon(stateOf(await logIn()));
    expect(upstream.received.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/session', headers: { authorization: 'Bearer st_1' } });
    const asked = upstream.received.length;
    await flow.abandon(begin());
    expect(upstream.received).toHaveLength(asked);
  });

  it('send no password of another account than the one that is reconnected', async () => {
    await expect(say(begin('bob'), { account: 'ada', password: 'pw' })).resolves.toMatchObject({ is: 'refused' });
    expect(upstream.received).toEqual([]);
  });

  it('ask for the URL of the sandbox when it is not configured', async () => {
    const homeless = sandboxFlow(pools);
    const state = homeless.begin({ connectionId: 'c1', mayBePrivate: true });
    expect(homeless.getStep(state).fields.map(({ name }) => name)).toEqual(['base_url', 'account', 'password']);
    answers['POST /api/session'] = [200, SESSION];
    const typed = { account: 'ada', password: 'pw', base_url: upstream.url };
    const answer = (values: Record<string, string>) => homeless.answer(state, { values, action: '' }, AbortSignal.timeout(20_000));
    await expect(answer(typed)).resolves.toMatchObject({ is: 'proven', account: { baseUrl: upstream.url } });
    await expect(answer({ ...typed, base_url: 'ftp://x' })).rejects.toMatchObject({ condition: 'CONNECT_STEP_INVALID', param: 'base_url' });
  });
});
