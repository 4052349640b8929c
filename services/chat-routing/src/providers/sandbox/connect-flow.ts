import { toGatewayError } from '@parley/protos/errors';
import { type StepAnswer } from '../../domain/connect-step.ts';
import { type StoredFlowMachine, type FlowOutcome, toStoredFlowMachine } from '../connect-flow.ts';
import { type HttpPools } from '../http-pools.ts';
import { requirePublicUrl } from '../public-url.ts';
import { listModels } from './session.ts';
import { type SignInState, signInStateSchema, signInStep } from './sign-in-steps.ts';
import { SignInClient, type SignInAnswer } from './sign-in.ts';

type Outcome = FlowOutcome<SignInState>;
type At<A extends SignInState['at']> = Extract<SignInState, { at: A }>;

const WRONG_ACCOUNT = 'this is another account than the one that is reconnected';
const REASONS: Readonly<Record<string, string>> = {
  wrong_code: 'the code is wrong',
  code_expired: 'the code is too old, ask for another one',
  unknown_factor: 'the account has no such factor',
};

/**
 * Creates the connect flow of the sandbox: account and password, then what the account requires: a one-time code, or the choice of a second
 * factor and its code. `home`: base URL of the sandbox; without it the user enters one.
 */
export function sandboxFlow(pools: HttpPools, home = ''): StoredFlowMachine {
  const flow = new SandboxFlow(pools);
  return toStoredFlowMachine<SignInState>(signInStateSchema, {
    begin: ({ connectionId, mayBePrivate, reconnects }) => ({
      ...{ at: 'login', connectionId, mayBePrivate, baseUrl: reconnects?.baseUrl ?? home },
      ...(reconnects && { known: reconnects.account }),
    }),
    getStep: signInStep,
    answer: (state, answer, signal) => flow.answer(state, answer, signal),
    abandon: (state) => flow.abandon(state),
  });
}

class SandboxFlow {
  readonly #pools: HttpPools;

  constructor(pools: HttpPools) {
    this.#pools = pools;
  }

  async answer(state: SignInState, { values, action }: StepAnswer, signal: AbortSignal): Promise<Outcome> {
    switch (state.at) {
      case 'login':
        return this.#logIn(state, values, signal);
      case 'challenge':
        return action === '' ? this.#takeCode(state, values, signal) : this.#act(state, action, signal);
      case 'opened':
        return this.#finish(state);
    }
  }

  async abandon(state: SignInState): Promise<void> {
    if (state.at === 'challenge') await new SignInClient(this.#pools, state.baseUrl).cancel(state.challenge.id);
    if (state.at === 'opened') await new SignInClient(this.#pools, state.baseUrl).signOut(state.token);
  }

  async #logIn(state: At<'login'>, values: StepAnswer['values'], signal: AbortSignal): Promise<Outcome> {
    const { connectionId, known, mayBePrivate } = state;
    const { account = '', password = '' } = values;
    const baseUrl = state.baseUrl || (values.base_url ?? '');
    if (state.baseUrl === '') await requirePublicUrl(baseUrl, state.mayBePrivate);
    // The password of another account is never sent.
    if (known !== undefined && account !== known) return { is: 'refused', reason: WRONG_ACCOUNT };
    const said = await new SignInClient(this.#pools, baseUrl, signal).logIn(account, password);
    if ('code' in said) return { is: 'refused', reason: 'the account name or the password is wrong' };
    return this.#next({ connectionId, mayBePrivate, baseUrl, known, account }, said);
  }

  async #takeCode(state: At<'challenge'>, { code, factor = '' }: StepAnswer['values'], signal: AbortSignal): Promise<Outcome> {
    const signIn = new SignInClient(this.#pools, state.baseUrl, signal);
    const said = await signIn.answer(state.challenge.id, code === undefined ? { factor } : { code });
    return this.#settle(state, said, signIn);
  }

  async #act(state: At<'challenge'>, action: string, signal: AbortSignal): Promise<Outcome> {
    if (action === 'other_factor') return { is: 'asked', state: { ...state, challenge: { ...state.challenge, step: 'choose_factor' } } };
    const signIn = new SignInClient(this.#pools, state.baseUrl, signal);
    return this.#settle(state, await signIn.resend(state.challenge.id), signIn);
  }

  async #settle(state: At<'challenge'>, said: SignInAnswer, signIn: SignInClient): Promise<Outcome> {
    if (!('code' in said)) return this.#next(state, said);
    switch (said.code) {
      case 'too_many_tries':
        return { is: 'refused', reason: 'the code is wrong', state: anew(state, 'There were too many wrong codes. ') };
      // A response of the sandbox was lost: its sign-in is further than the stored state.
      case 'other_step': {
        const now = await signIn.getChallenge(state.challenge.id);
        return 'code' in now ? this.#isOver(state) : this.#next(state, now);
      }
      case 'challenge_not_found':
      case 'challenge_expired':
        return this.#isOver(state);
      default:
        return { is: 'refused', reason: REASONS[said.code] ?? 'the provider does not accept this' };
    }
  }

  #isOver(state: At<'challenge'>): Outcome {
    return { is: 'asked', state: anew(state, 'Signing in took too long, or was interrupted. ') };
  }

  async #next(place: Omit<At<'opened'>, 'at' | 'token'>, said: Exclude<SignInAnswer, { code: string }>): Promise<Outcome> {
    const { connectionId, mayBePrivate, baseUrl, known, account } = place;
    const where = { connectionId, mayBePrivate, baseUrl, ...(known !== undefined && { known }) };
    if ('challenge' in said) return { is: 'asked', state: { at: 'challenge', ...where, account, challenge: said.challenge } };
    const state: At<'opened'> = { at: 'opened', ...where, account, token: said.token };
    return this.#finish(state);
  }

  async #finish(state: At<'opened'>): Promise<Outcome> {
    const { connectionId: id, baseUrl, account, token: secret } = state;
    try {
      const models = await listModels(this.#pools, { id, baseUrl, account, secret });
      return { is: 'proven', account: { baseUrl, account, secret, models, modelsNamed: false }, state };
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.condition === 'ACCOUNT_REAUTH_REQUIRED') return { is: 'asked', state: anew(state, 'The session ended at once. ') };
      // The session exists: the next answer can complete the rest.
      return { is: 'interrupted', error, state };
    }
  }
}

/** Restarts the flow, with the reason for the user. */
function anew({ connectionId, mayBePrivate, baseUrl, known }: At<'challenge' | 'opened'>, note: string): At<'login'> {
  return { at: 'login', connectionId, mayBePrivate, baseUrl, note, ...(known !== undefined && { known }) };
}
