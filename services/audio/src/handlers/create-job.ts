import { MAX_IDEMPOTENCY_KEY_LENGTH } from '@parley/kit/ids/idempotency-key';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Call } from '@parley/kit/rpc/call';
import { toWorkOrigin } from '@parley/kit/rpc/work-origin';
import { type CreateJobRequest, type Job } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { requireWorkspaceId } from '../domain/access.ts';
import { parseProviderOptions } from '../domain/provider-options.ts';
import { MAX_JOB_CHARACTERS, countCharacters, requireSpeechInput } from '../domain/speech-input.ts';
import { requireKnownFormat } from '../speech/formats.ts';
import { createJob as create, findRepeatedJob } from '../store/create-job.ts';
import { toJob } from './job-view.ts';

const LANGUAGE = /^(?:[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*)?$/;
const MAX_NAME = 200;

/**
 * Creates and queues a speech job.
 * @throws VALIDATION_ERROR, VOICE_NOT_FOUND, AUDIO_PROVIDER_NOT_FOUND, AUDIO_QUOTA_EXCEEDED
 */
export async function createJob({ store, providers, limits }: Deps, request: CreateJobRequest, call: Call): Promise<Job> {
  const { caller, signal } = call;
  const workspaceId = requireWorkspaceId(caller);
  const { idempotencyKey, requestDigest, model, language, providerOptions } = request;
  const input = requireSpeechInput(request.input, MAX_JOB_CHARACTERS);
  if (request.voice.trim() === '') throw new GatewayError('VALIDATION_ERROR', 'voice is missing', { param: 'voice' });
  if (idempotencyKey.length > MAX_IDEMPOTENCY_KEY_LENGTH)
    throw refused('Idempotency-Key', `has more than ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`);
  if (!LANGUAGE.test(language)) throw refused('language', 'is not a language tag such as en or en-GB');
  if (model.length > MAX_NAME) throw refused('model', `has more than ${MAX_NAME} characters`);
  const responseFormat = requireKnownFormat(request.responseFormat);
  const identity = { workspaceId, keyId: caller.keyId, idempotencyKey, requestDigest };
  // A repeated request returns the accepted job, also when its provider was removed in the meantime.
  const known = await findRepeatedJob(store.database.pool, identity);
  if (known) return toJob(known);
  const { provider, voice } = await providers.chooseVoice(request, caller, signal);
  parseProviderOptions(provider.options, providerOptions);
  const chosen = { provider: provider.name, voice: voice.id, model, language, responseFormat, providerOptions };
  const job = { id: uuidv7(), ...identity, ...chosen, retryOf: null, input, inputCharacters: countCharacters(input) };
  return toJob(await create(store, { ...job, ...toWorkOrigin(call) }, limits));
}

function refused(param: string, why: string): GatewayError {
  return new GatewayError('VALIDATION_ERROR', `${param} ${why}`, { param });
}
