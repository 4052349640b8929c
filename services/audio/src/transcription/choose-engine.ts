import { type Logger } from '@parley/kit/log/logger';
import { type Call, type CallInit, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ErrorCondition, GatewayError, toGatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ChatRoutingServiceService, type Connection } from '@parley/protos/routing/v1/routing';
import { TranscriptionError, transcribeRemotely } from '../providers/openai-transcription/transcribe-remotely.ts';
import { type PocketsphinxEngine } from '../providers/pocketsphinx/pocketsphinx-engine.ts';
import { type Transcript, type TranscriptionInput } from '../providers/transcript.ts';

/** The sources of transcription engines. */
export interface EngineSources {
  routing: Stub<typeof ChatRoutingServiceService>;
  pocketsphinx: PocketsphinxEngine;
  log: Logger;
}

/** The provider of connections to transcription servers. */
export const OPENAI_TRANSCRIPTION_PROVIDER = 'openai-transcription';

/** An engine that was chosen for a recording. */
export interface TranscriptionEngine {
  name: string;
  /** Whether it needs decoded samples. */
  needsSamples: boolean;
  /** Transcribes a recording. @throws the transcription error codes; the signal's reason */
  transcribe(input: TranscriptionInput, signal: AbortSignal): Promise<Transcript>;
}

/** Timeout of calls to chat-routing, in milliseconds; they do not wait for other work. */
const ROUTING_MS = 5_000;

/** Returns the workspace's connections to transcription servers, without acquiring one, so that no probe is used up. */
export async function listTranscriptionConnections(
  { routing }: Pick<EngineSources, 'routing'>,
  call: Call,
): Promise<readonly Connection[]> {
  const filter = { provider: OPENAI_TRANSCRIPTION_PROVIDER, status: '', limit: 100, offset: 0 };
  return (await routing.listConnections(filter, toDownstreamInit(call))).connections;
}

/** Rejects a recording that no engine can transcribe, before its first byte is read. @throws TRANSCRIPTION_DISABLED */
export async function requireEngine(engines: EngineSources, call: Call): Promise<void> {
  if (await engines.pocketsphinx.findInstallation()) return;
  // If the list of connections is not available, acquiring one decides later.
  const connections = await listTranscriptionConnections(engines, call).catch(() => undefined);
  if (connections?.length === 0) throw noEngine();
}

/**
 * Chooses the engine of a recording: the workspace's connected server, else the local engine.
 * @throws TRANSCRIPTION_DISABLED without any, TRANSCRIPTION_PROVIDER_UNAVAILABLE and PROVIDER_RATE_LIMITED while the connected server
 * cannot be used, VALIDATION_ERROR for a language that the local engine does not support
 */
export async function chooseEngine(engines: EngineSources, language: string, call: Call): Promise<TranscriptionEngine> {
  const connection = await acquire(engines, call);
  if (connection)
    return {
      name: OPENAI_TRANSCRIPTION_PROVIDER,
      needsSamples: false,
      transcribe: (input, signal) => transcribeOver(engines, connection, input, call, signal),
    };
  const { pocketsphinx } = engines;
  if (!(await pocketsphinx.findInstallation())) throw noEngine();
  pocketsphinx.requireLanguage(language);
  return pocketsphinx;
}

function noEngine(): GatewayError {
  return new GatewayError('TRANSCRIPTION_DISABLED', 'this gateway has no engine for transcription');
}

async function acquire({ routing }: EngineSources, call: Call): Promise<AcquiredConnection | undefined> {
  try {
    return await routing.acquireConnection({ purpose: 'transcription', connectionId: '' }, toDownstreamInit(call, ROUTING_MS));
  } catch (error) {
    const { condition, retryAfterMs } = toGatewayError(error);
    if (condition === 'ACCOUNT_NOT_CONNECTED') return undefined;
    if (call.abortReason) throw call.abortReason;
    const options = { cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    // TRANSCRIPTION_RATE_LIMIT is reserved for requests that this gateway does not admit: the edge counts those, and no others.
    if (condition === 'PROVIDER_RATE_LIMITED') throw new GatewayError(condition, 'the transcription server limits this account', options);
    throw new GatewayError('TRANSCRIPTION_PROVIDER_UNAVAILABLE', 'the transcription server cannot be used now', options);
  }
}

async function transcribeOver(
  engines: EngineSources,
  connection: AcquiredConnection,
  input: TranscriptionInput,
  call: Call,
  signal: AbortSignal,
): Promise<Transcript> {
  let health: ErrorCondition | undefined;
  try {
    return await transcribeRemotely(connection, input, signal);
  } catch (error) {
    if (error instanceof TranscriptionError) {
      health = error.healthCondition;
      throw error.error;
    }
    // A cancelled call does not change the health of the server; a timeout is its failure.
    health = toGatewayError(error).condition === 'TRANSCRIPTION_TIMEOUT' ? 'PROVIDER_TIMEOUT' : 'CANCELLED';
    throw error;
  } finally {
    report(engines, connection, call, health);
  }
}

function report(
  { routing, log }: EngineSources,
  { id, probing }: AcquiredConnection,
  { caller, traceparent }: Call,
  health?: ErrorCondition,
): void {
  // No signal: the caller may have cancelled in the meantime.
  const init: CallInit = { caller, traceparent, deadlineMs: ROUTING_MS };
  const request = { connectionId: id, ok: health === undefined, condition: health ?? '', retryAfterMs: 0, probing };
  routing
    .reportConnection(request, init)
    .catch((err: unknown) =>
      log.warn({ err, connectionId: id, requestId: caller.requestId }, 'how a transcription server did could not be reported'),
    );
}
