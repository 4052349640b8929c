import { type RouteSpec } from './route-spec.ts';

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  chat: 'Turns, whole and streamed.',
  models: 'The models that a turn may name.',
  capabilities: 'Which capabilities are supported and enabled.',
  connections: 'Connected accounts, read-only.',
  usage: 'Usage of a key.',
  conversations: 'Conversations and their participants.',
  messages: 'Single messages, to poll while their assets are fetched.',
  assets: 'Files that were attached to conversations or generated in them.',
  projects: 'Upstream projects and their files.',
  audio: 'Speech and transcription.',
  actions: 'Published actions and their runs.',
  service: 'The process and its description.',
  admin: 'The control plane, which is not a public contract.',
  me: 'What signed-in people do, which is not a public contract.',
};

/**
 * Returns the tag of an operation: the path segment after `/v1/`, also for the `/me` route of it; `admin`, `me` or `service` for others.
 */
export function toTag(row: Pick<RouteSpec, 'path' | 'mirrors'>): string {
  const { path } = row.mirrors ?? row;
  const [first = '', second = ''] = path.slice(1).split('/');
  if (first === 'admin') return 'admin';
  if (first === 'me') return 'me';
  return first === 'v1' ? second : 'service';
}

/** Returns the tags of these operations with their descriptions, in the order of the routes. */
export function describeTags(routes: readonly RouteSpec[]): { name: string; description: string }[] {
  return [...new Set(routes.map(toTag))].map((name) => ({
    name,
    description: DESCRIPTIONS[name] ?? `Operations on ${name}.`,
  }));
}
