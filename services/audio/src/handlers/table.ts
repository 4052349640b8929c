import type { Handlers } from '@parley/kit/rpc/server';
import type { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import type { Deps } from '../deps.ts';

const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'this is not available yet');
};

/** The service's operations: what a caller may do, each handler checks by itself. */
export function handlerTable(_deps: Deps): Handlers<typeof AudioServiceService> {
  return {
    createJob: notYet,
    listJobs: notYet,
    getJob: notYet,
    cancelJob: notYet,
    retryJob: notYet,
    openContent: notYet,
    speak: () => {
      throw new GatewayError('NOT_IMPLEMENTED', 'this is not available yet');
    },
    transcribe: notYet,
    listProviders: notYet,
    listVoices: notYet,
    getProvider: notYet,
    getAbilities: notYet,
  };
}
