import { type Handlers } from '@parley/kit/rpc/server';
import { GatewayError } from '@parley/protos/errors';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type TurnDeps } from '../turn/deps.ts';
import { type RunningTurns } from '../turn/running-turns.ts';
import { createConnection } from './create-connection.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConnection } from './delete-connection.ts';
import { deleteRouteProfile } from './delete-route-profile.ts';
import { type HandlerDeps } from './deps.ts';
import { listConnections } from './list-connections.ts';
import { listModels } from './list-models.ts';
import { listRouteProfiles } from './list-route-profiles.ts';
import { putRouteProfile } from './put-route-profile.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { syncConversation } from './sync-conversation.ts';
import { testConnection } from './test-connection.ts';
import { turns } from './turns.ts';
import { updateConnection } from './update-connection.ts';

const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'not available yet');
};

/** Every RPC of the service and its handler. */
export function handlersOf(turnDeps: TurnDeps, running: RunningTurns, deps: HandlerDeps): Handlers<typeof ChatRoutingServiceService> {
  return {
    turns: turns(turnDeps, running),
    createConversation: (request, call) => createConversation(deps, request, call),
    syncConversation: (request, call) => syncConversation(deps, request, call),
    listModels: (_request, call) => listModels(deps, call),
    listConnections: (request, call) => listConnections(deps, request, call),
    createConnection: (request, call) => createConnection(deps, request, call),
    updateConnection: (request, call) => updateConnection(deps, request, call),
    deleteConnection: (request, call) => deleteConnection(deps, request, call),
    testConnection: (request, call) => testConnection(deps, request, call),
    rotateSecrets: () => rotateSecrets(deps),
    listRouteProfiles: (_request, call) => listRouteProfiles(deps, call),
    putRouteProfile: (request, call) => putRouteProfile(deps, request, call),
    deleteRouteProfile: (request, call) => deleteRouteProfile(deps, request, call),
    listProjects: notYet,
    createProject: notYet,
    getProject: notYet,
    updateProject: notYet,
    deleteProject: notYet,
    listProjectSources: notYet,
    deleteProjectSource: notYet,
    registerProject: notYet,
    bindProject: notYet,
    uploadFile: notYet,
    discardFile: notYet,
    fetchArtifact: () => {
      throw new GatewayError('NOT_IMPLEMENTED', 'not available yet');
    },
  };
}
