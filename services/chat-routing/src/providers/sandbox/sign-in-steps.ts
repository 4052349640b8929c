import { z } from 'zod';
import { type ConnectStep, type StepField } from '../../domain/connect-step.ts';
import { challengeSchema, type Challenge } from './sign-in.ts';

const place = {
  connectionId: z.string(),
  /** Empty when the user has to enter it. */
  baseUrl: z.string(),
  /** Account of the connection to reconnect; unset for a new connection. */
  known: z.string().optional(),
  mayBePrivate: z.boolean(),
};

/** State of a sign-in: before the password, at a challenge, or with an open session that is not verified yet. */
export const signInStateSchema = z.discriminatedUnion('at', [
  z.object({ at: z.literal('login'), ...place, note: z.string().optional() }),
  z.object({ at: z.literal('challenge'), ...place, account: z.string(), challenge: challengeSchema }),
  z.object({ at: z.literal('opened'), ...place, account: z.string(), token: z.string() }),
]);

/** A parsed `signInStateSchema`. */
export type SignInState = z.infer<typeof signInStateSchema>;

const FACTOR_LABELS = { app: 'Code of the authenticator app', email: 'Code by e-mail' } as const;
const CODE: StepField = { name: 'code', label: 'Code', kind: 'one_time_code', required: true, placeholder: '123456' };

/** Returns the step that a state requires from the user. */
export function signInStep(state: SignInState): ConnectStep {
  switch (state.at) {
    case 'login':
      return logInStep(state.baseUrl === '', state.note);
    case 'challenge':
      return challengeStep(state.challenge);
    case 'opened':
      return { kind: 'text', message: 'You are signed in, but the account could not be read. Go on to try again.', fields: [] };
  }
}

function logInStep(asksForPlace: boolean, note = ''): ConnectStep {
  const place: StepField = { name: 'base_url', label: 'Base URL', kind: 'url', required: true, placeholder: 'https://…' };
  return {
    kind: 'password',
    message: `${note}Log in with the account name and the password.`,
    fields: [
      ...(asksForPlace ? [place] : []),
      { name: 'account', label: 'Account', kind: 'text', required: true },
      { name: 'password', label: 'Password', kind: 'password', required: true },
    ],
  };
}

function challengeStep({ step, factor, factors, sent_to: sentTo, sends_left: sendsLeft }: Challenge): ConnectStep {
  const resend = sentTo !== undefined && sendsLeft > 0 ? [{ name: 'resend', label: 'Send another code' }] : [];
  const other = factors.length > 1 ? [{ name: 'other_factor', label: 'Use another way' }] : [];
  const where = sentTo === undefined ? 'Enter the code.' : `Enter the code that was sent to ${sentTo}.`;
  if (step === 'one_time_code') return { kind: 'one_time_code', message: where, fields: [CODE], actions: resend };
  if (step === 'second_factor') {
    const message = factor === 'app' ? 'Enter the code that the authenticator app shows.' : where;
    return { kind: 'one_time_code', message, fields: [CODE], actions: [...resend, ...other] };
  }
  const choices = factors.map((value) => ({ value, label: FACTOR_LABELS[value] }));
  return {
    kind: 'choice',
    message: 'Choose the second way to prove who you are.',
    fields: [{ name: 'factor', label: 'Second factor', kind: 'choice', required: true, choices }],
  };
}
