import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { acquireConnection } from './acquire-connection.ts';
import { answerConnectFlow } from './answer-connect-flow.ts';
import { beginConnectFlow } from './begin-connect-flow.ts';
import { bindProject } from './bind-project.ts';
import { cancelConnectFlow } from './cancel-connect-flow.ts';
import { createConnection } from './create-connection.ts';
import { createConversation } from './create-conversation.ts';
import { createProject } from './create-project.ts';
import { deleteConnection } from './delete-connection.ts';
import { deleteProjectSource } from './delete-project-source.ts';
import { deleteProject } from './delete-project.ts';
import { deleteRouteProfile } from './delete-route-profile.ts';
import { discardFile } from './discard-file.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { getConnectFlow } from './get-connect-flow.ts';
import { getConnection } from './get-connection.ts';
import { getProject } from './get-project.ts';
import { listConnectProviders } from './list-connect-providers.ts';
import { listConnections } from './list-connections.ts';
import { listModels } from './list-models.ts';
import { listProjectSources } from './list-project-sources.ts';
import { listProjects } from './list-projects.ts';
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

/** Maps every RPC of the service to its handler. Handlers check the caller's permissions themselves. */
export function handlerTable(deps: Deps): Handlers<typeof ChatRoutingServiceService> {
  return {
    turns: (request, stream, call) => turns(deps, request, stream, call),
    createConversation: (request, call) => createConversation(deps, request, call),
    syncConversation: (request, call) => syncConversation(deps, request, call),
    listModels: (_request, call) => listModels(deps, call),
    listConnections: (request, call) => listConnections(deps, request, call),
    getConnection: (request, call) => getConnection(deps, request, call),
    createConnection: (request, call) => createConnection(deps, request, call),
    updateConnection: (request, call) => updateConnection(deps, request, call),
    deleteConnection: (request, call) => deleteConnection(deps, request, call),
    removeConnection: (request, call) => removeConnection(deps, request, call),
    testConnection: (request, call) => testConnection(deps, request, call),
    rotateSecrets: (_request, call) => rotateSecrets(deps, call),
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
    listConnectProviders: () => listConnectProviders(deps),
    beginConnectFlow: (request, call) => beginConnectFlow(deps, request, call),
    answerConnectFlow: (request, call) => answerConnectFlow(deps, request, call),
    getConnectFlow: (request, call) => getConnectFlow(deps, request, call),
    cancelConnectFlow: (request, call) => cancelConnectFlow(deps, request, call),
  };
}
