import { type Handlers } from '@parley/kit/rpc/server';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type TurnDeps } from '../turn/deps.ts';
import { type RunningTurns } from '../turn/running-turns.ts';
import { acquireConnection } from './acquire-connection.ts';
import { bindProject } from './bind-project.ts';
import { createConnection } from './create-connection.ts';
import { createConversation } from './create-conversation.ts';
import { createProject } from './create-project.ts';
import { deleteConnection } from './delete-connection.ts';
import { deleteProject } from './delete-project.ts';
import { deleteProjectSource } from './delete-project-source.ts';
import { deleteRouteProfile } from './delete-route-profile.ts';
import { type HandlerDeps } from './deps.ts';
import { discardFile } from './discard-file.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { getProject } from './get-project.ts';
import { listConnections } from './list-connections.ts';
import { listModels } from './list-models.ts';
import { listProjects } from './list-projects.ts';
import { listProjectSources } from './list-project-sources.ts';
import { listRouteProfiles } from './list-route-profiles.ts';
import { putRouteProfile } from './put-route-profile.ts';
import { registerProject } from './register-project.ts';
import { removeConnection } from './remove-connection.ts';
import { reportConnection } from './report-connection.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { syncConversation } from './sync-conversation.ts';
import { testConnection } from './test-connection.ts';
import { turns } from './turns.ts';
import { updateConnection } from './update-connection.ts';
import { updateProject } from './update-project.ts';
import { uploadFile } from './upload-file.ts';

/** Every RPC of the service and its handler. */
export function createHandlers(turnDeps: TurnDeps, running: RunningTurns, deps: HandlerDeps): Handlers<typeof ChatRoutingServiceService> {
  return {
    turns: turns(turnDeps, running),
    createConversation: (request, call) => createConversation(deps, request, call),
    syncConversation: (request, call) => syncConversation(deps, request, call),
    listModels: (_request, call) => listModels(deps, call),
    listConnections: (request, call) => listConnections(deps, request, call),
    createConnection: (request, call) => createConnection(deps, request, call),
    updateConnection: (request, call) => updateConnection(deps, request, call),
    deleteConnection: (request, call) => deleteConnection(deps, request, call),
    removeConnection: (request, call) => removeConnection(deps, request, call),
    testConnection: (request, call) => testConnection(deps, request, call),
    rotateSecrets: () => rotateSecrets(deps),
    listRouteProfiles: (_request, call) => listRouteProfiles(deps, call),
    putRouteProfile: (request, call) => putRouteProfile(deps, request, call),
    deleteRouteProfile: (request, call) => deleteRouteProfile(deps, request, call),
    listProjects: (request, call) => listProjects(deps, request, call),
    createProject: (request, call) => createProject(deps, request, call),
    getProject: (request, call) => getProject(deps, request, call),
    updateProject: (request, call) => updateProject(deps, request, call),
    deleteProject: (request, call) => deleteProject(deps, request, call),
    listProjectSources: (request, call) => listProjectSources(deps, request, call),
    deleteProjectSource: (request, call) => deleteProjectSource(deps, request, call),
    registerProject: (request, call) => registerProject(deps, request, call),
    bindProject: (request, call) => bindProject(deps, request, call),
    uploadFile: (frames, call) => uploadFile(deps, frames, call),
    discardFile: (request, call) => discardFile(deps, request, call),
    acquireConnection: (request, call) => acquireConnection(deps, request, call),
    reportConnection: (request, call) => reportConnection(deps, request, call),
    fetchArtifact: (request, call) => fetchArtifact(deps, request, call),
  };
}
