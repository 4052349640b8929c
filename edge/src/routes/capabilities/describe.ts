import { type Abilities } from '@parley/protos/audio/v1/audio';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type z } from 'zod';
import { type RouteSpec } from '../../openapi/route-spec.ts';
import { type ServiceName } from '../../readiness/readiness.ts';
import { type capabilityManifest, type capabilityReason } from '../../wire/capabilities.ts';
import { MEMORY_POLICIES } from '../../wire/project.ts';
import { USAGE_PERIODS } from '../../wire/usage.ts';
import { describeAudio } from './describe-audio.ts';
import { isUsableConnectionStatus } from './usable-connection-status.ts';

type Capabilities = z.input<typeof capabilityManifest>['capabilities'];

/** The inputs of the capabilities of a workspace. */
export interface CapabilitiesInput {
  /** All connections of the workspace. */
  connections: readonly Connection[];
  /** All routes: a capability without a route is not supported. */
  routes: readonly RouteSpec[];
  /** The audio abilities of the workspace; undefined while the audio service does not answer. */
  abilities: Abilities | undefined;
  /** True when the workspace may run actions. */
  runsActions: boolean;
  /** True when a service is ready. */
  isUp: (service: ServiceName) => boolean;
}

/**
 * Returns the capabilities of a workspace. A capability without a route is not supported, whatever a connection could do. A service that is
 * down disables its capabilities without a reason, because the three documented reasons concern connections.
 */
export function describeCapabilities({ connections, routes, abilities, runsActions, isUp }: CapabilitiesInput): Capabilities {
  // A connection only for audio cannot be used for chat.
  const accounts = connections.filter(({ supports }) => supports.includes('text'));
  const connected = accounts.filter(({ status }) => isUsableConnectionStatus(status));
  const hasAccount = connected.length > 0;
  const can = (ability: string) => connected.some(({ supports }) => supports.includes(ability));
  // An ability that the upstream refused recently is not counted until it works again.
  const may = (ability: string) => connected.some(({ supports, refused }) => supports.includes(ability) && !refused.includes(ability));
  const isRefused = (ability: string) => can(ability) && !may(ability);
  const has = (path: string) => routes.some((route) => route.path === path);
  const why = reasonOf(accounts);
  const flags = (supported: boolean, able: boolean, refused = false) => ({
    enabled: supported && hasAccount && able && !refused,
    supported,
    ...(supported && !hasAccount && { reason: why }),
    ...(supported && hasAccount && refused && { reason: 'upstream_not_authorized' as const }),
  });

  const answers = isUp('chat-routing') && isUp('conversation');
  const keepsFiles = isUp('asset');
  const conversationFiles = has('/v1/conversations/{conversation_id}/attachments');
  const projects = has('/v1/projects');
  const projectFiles = has('/v1/projects/{project_id}/files');
  const images = has('/v1/assets/{asset_id}');
  const actions = has('/v1/actions');
  return {
    chat: {
      ...flags(has('/v1/chat/completions'), answers),
      endpoint: '/v1/chat/completions',
      openai_compatible: true,
      streaming: true,
      features: {
        text: hasAccount && answers,
        images: images && keepsFiles && may('images'),
        conversation_files: conversationFiles && keepsFiles && can('conversation_files'),
        conversation_continuation: hasAccount && answers,
        projects: projects && can('projects'),
        project_files: projectFiles && keepsFiles && may('project_files'),
        multi_account_routing: connected.length > 1,
      },
    },
    conversations: {
      ...flags(has('/v1/conversations'), isUp('conversation')),
      endpoints: endpointsUnder('/v1/conversations', routes),
      auto_create: true,
      sticky_binding: true,
      upstream_continuity: connected.length > 0,
    },
    projects: {
      ...flags(projects, can('projects')),
      endpoints: endpointsUnder('/v1/projects', routes),
      memory_policies: [...MEMORY_POLICIES],
    },
    files: flags(conversationFiles, keepsFiles && can('conversation_files')),
    images: {
      ...flags(images, keepsFiles && may('images')),
      endpoint: '/v1/chat/completions',
      state: images && keepsFiles && may('images') ? 'unknown' : 'unavailable',
      verified: false,
      error_code: 'IMAGE_GENERATION_UNAVAILABLE',
      retryable: false,
      note: 'Images are asked for in a chat; whether an account may make one shows only when it is asked.',
    },
    audio: describeAudio(abilities, has),
    models: { enabled: has('/v1/models'), endpoint: '/v1/models' },
    usage: { enabled: has('/v1/usage') && isUp('usage'), endpoint: '/v1/usage', periods: [...USAGE_PERIODS], scope: 'api_key' },
    project_files: flags(projectFiles, keepsFiles && can('project_files'), isRefused('project_files')),
    actions: { enabled: actions && runsActions, supported: actions, endpoints: endpointsUnder('/v1/actions', routes) },
  };
}

function reasonOf(connections: readonly Connection[]): z.input<typeof capabilityReason> {
  const onlyDisabled = connections.length > 0 && connections.every(({ status }) => status === 'disabled');
  return onlyDisabled ? 'account_disabled' : 'no_connected_account';
}

function endpointsUnder(prefix: string, routes: readonly RouteSpec[]): Record<string, string> {
  const within = routes.filter(({ path }) => path === prefix || path.startsWith(`${prefix}/`));
  return Object.fromEntries(within.map(({ operationId, method, path }) => [operationId, `${method.toUpperCase()} ${path}`]));
}
