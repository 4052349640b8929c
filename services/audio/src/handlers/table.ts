import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type AudioServiceService } from '@parley/protos/audio/v1/audio';
import { type Deps } from '../deps.ts';
import { cancelJob } from './cancel-job.ts';
import { createJob } from './create-job.ts';
import { getAbilities } from './get-abilities.ts';
import { getJob } from './get-job.ts';
import { getProvider } from './get-provider.ts';
import { listJobs } from './list-jobs.ts';
import { listProviders } from './list-providers.ts';
import { listVoices } from './list-voices.ts';
import { openContent } from './open-content.ts';
import { readContent } from './read-content.ts';
import { retryJob } from './retry-job.ts';
import { speak } from './speak.ts';
import { transcribe } from './transcribe.ts';

/** The handler of each RPC; each handler checks the permission of its caller. */
export function handlerTable(deps: Deps): Handlers<typeof AudioServiceService> {
  return {
    createJob: (request, call) => createJob(deps, request, call),
    listJobs: (request, call) => listJobs(deps, request, call),
    getJob: (request, call) => getJob(deps, request, call),
    cancelJob: (request, call) => cancelJob(deps, request, call),
    retryJob: (request, call) => retryJob(deps, request, call),
    openContent: (request, call) => openContent(deps, request, call),
    readContent: (request, call) => readContent(deps, request, call),
    speak: (request, call) => speak(deps, request, call),
    transcribe: (frames, call) => transcribe(deps.transcriber, frames, call),
    listProviders: (request, call) => listProviders(deps, request, call),
    listVoices: (request, call) => listVoices(deps, request, call),
    getProvider: (request, call) => getProvider(deps, request, call),
    getAbilities: (request, call) => getAbilities(deps, request, call),
  };
}
