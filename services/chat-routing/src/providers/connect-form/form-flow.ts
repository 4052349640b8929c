import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { isModelListMissing } from '../../domain/error-effects.ts';
import { defaultBaseUrl } from '../base-url.ts';
import { type StoredFlowMachine, type FlowOutcome, toStoredFlowMachine } from '../connect-flow.ts';
import { type ConnectionProvider } from '../provider.ts';
import { requirePublicUrl } from '../public-url.ts';
import { type ConnectResult, type UpstreamConnection } from '../upstream-connection.ts';
import { formStep } from './form-step.ts';
import { type FormTexts } from './texts.ts';

const formState = z.object({
  connectionId: z.string(),
  mayBePrivate: z.boolean(),
  reconnects: z.object({ account: z.string(), baseUrl: z.string(), models: z.array(z.string()) }).optional(),
});

type FormState = z.infer<typeof formState>;

/** Characters that a header can contain. */
const KEY = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Creates the flow of a provider that is connected with a single form; the values are verified like those of CreateConnection. */
export function formFlow(kind: ConnectionProvider, texts: FormTexts): StoredFlowMachine {
  return toStoredFlowMachine<FormState>(formState, {
    begin: ({ connectionId, mayBePrivate, reconnects }) => ({ connectionId, mayBePrivate, ...(reconnects && { reconnects }) }),
    getStep: ({ reconnects }) => formStep(kind.traits, texts, reconnects !== undefined),
    answer: (state, { values }, signal) => prove(kind, texts, state, values, signal),
    // A single form leaves nothing open at the upstream.
    abandon: () => Promise.resolve(),
  });
}

async function prove(
  kind: ConnectionProvider,
  texts: FormTexts,
  state: FormState,
  values: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FlowOutcome<FormState>> {
  const named = toModels(values.models);
  try {
    const candidate = toCandidate(kind, texts, state, values);
    // Only URLs that the user entered are checked; others are provider defaults or belong to the existing connection.
    if (values.base_url) await until(signal, requirePublicUrl(values.base_url, state.mayBePrivate));
    const facts = await until(signal, kind.connect(candidate)).catch((error: unknown) => unlisted(kind, candidate, [named, state], error));
    const models = named.length > 0 ? named : facts.models;
    if (models.length === 0 && !state.reconnects && kind.traits.purpose !== 'api')
      throw new GatewayError('CONNECT_STEP_INVALID', 'the account lists no models; name them', { param: 'models' });
    const { baseUrl, account } = candidate;
    return { is: 'proven', account: { baseUrl, account, secret: facts.secret, models, modelsNamed: named.length > 0 }, state };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error.condition === 'VALIDATION_ERROR') throw new GatewayError('CONNECT_STEP_INVALID', error.message, { param: error.param });
    const reason = refusalReason(error);
    if (reason === undefined) throw error;
    return { is: 'refused', reason };
  }
}

/** Builds the connection to verify from the form. It never contains the stored secret, so that this cannot be sent to another host. */
function toCandidate(
  { traits }: ConnectionProvider,
  { isDocument }: FormTexts,
  { connectionId: id, reconnects }: FormState,
  values: Readonly<Record<string, string>>,
): UpstreamConnection {
  const account = reconnects?.account ?? values.account ?? '';
  const baseUrl = reconnects?.baseUrl ?? (values.base_url || defaultBaseUrl(traits, account));
  const secret = (values.api_key ?? '').trim();
  if (traits.needsSecret && secret === '') throw new GatewayError('VALIDATION_ERROR', 'this is missing', { param: 'api_key' });
  if (!isDocument && !KEY.test(secret))
    throw new GatewayError('VALIDATION_ERROR', 'the key has characters that cannot be sent', { param: 'api_key' });
  return { id, baseUrl, account, secret };
}

/** Accepts a server without a model list when models were named, now or before; else rethrows the error. */
function unlisted(
  { traits }: ConnectionProvider,
  { secret }: UpstreamConnection,
  [named, { reconnects }]: [readonly string[], FormState],
  error: unknown,
): ConnectResult {
  const isKnown = named.length > 0 || (reconnects?.models.length ?? 0) > 0;
  if (traits.trustsNamedModels && isKnown && isModelListMissing(toGatewayError(error))) return { secret, models: [] };
  throw error;
}

function toModels(typed = ''): string[] {
  return [...new Set(typed.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}

/** Resolves or rejects like `work`; rejects with PROVIDER_TIMEOUT when the signal aborts first. */
async function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new GatewayError('PROVIDER_TIMEOUT', 'the provider did not answer in time');
  let give: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    give = () => reject(late);
    if (signal.aborted) give();
    signal.addEventListener('abort', give, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => give && signal.removeEventListener('abort', give));
}

/** Conditions that mean the entered values are wrong, with their message for users; empty to use the error's own message. */
const REASONS: Partial<Record<ErrorCondition, string>> = {
  ACCOUNT_REAUTH_REQUIRED: 'the provider does not accept the key',
  PROVIDER_FORBIDDEN: 'the provider does not admit this key',
  UPSTREAM_ACCOUNT_NOT_AUTHORIZED: '',
  PROVIDER_REJECTED_REQUEST: 'the provider does not accept the request; the base URL or the key may be wrong',
  INVALID_REQUEST: '',
};

/** Why the provider rejects the entered values, for the user; undefined for errors unrelated to them, such as an unavailable provider. */
function refusalReason({ condition, message }: GatewayError): string | undefined {
  const reason = REASONS[condition];
  return reason === '' ? message : reason;
}
