import { startAll } from '@parley/kit/lifecycle/disposables';
import { Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { type Address } from '@parley/kit/rpc/client';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/server';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type AudioConfig } from './config.ts';

/** The audio service while it runs. */
export interface AudioServer extends AsyncDisposable {
  address: Address;
  ready(): Promise<ReadinessReport>;
  /** Refuses new calls with SHUTTING_DOWN and waits for those under way. */
  drain(): Promise<void>;
}

/** What tests and compositions may replace. */
export interface AudioOverrides {
  log?: Logger;
}

/** Says so, rather than answer as if it worked. */
const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'audio is not available yet');
};

/** One entry for each method of the contract, so that a new one does not go unnoticed. */
const handlers: Handlers<typeof AudioServiceService> = {
  listJobs: notYet,
  openContent: notYet,
  transcribe: notYet,
  listProviders: notYet,
  listVoices: notYet,
  getProvider: notYet,
  getAbilities: notYet,
  speak: () => {
    throw new GatewayError('NOT_IMPLEMENTED', 'audio is not available yet');
  },
  createJob: notYet,
  getJob: notYet,
  cancelJob: notYet,
  retryJob: notYet,
};

/** Starts the audio service: it answers health and refuses every method with NOT_IMPLEMENTED. */
export function startAudio({ listen, logLevel }: AudioConfig, overrides: AudioOverrides = {}): Promise<AudioServer> {
  const log = overrides.log ?? createLogger({ service: 'audio', level: logLevel });
  return startAll(async (parts) => {
    const endpoint = await serve(AudioServiceService, handlers, listen, log);
    parts.defer(() => endpoint.close());
    const readiness = new Readiness();
    return {
      address: endpoint.address,
      ready: () => readiness.report(),
      drain: () => {
        readiness.drain();
        return endpoint.drain();
      },
    };
  });
}
