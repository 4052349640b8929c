import {
  type ActionRequest,
  type ListVersionsResponse,
  type PublishedVersion,
  type VersionRequest,
} from '@parley/protos/actions/v1/actions';
import { GatewayError } from '@parley/protos/errors';
import { type Deps } from '../deps.ts';
import { findVersion, listVersions as list } from '../store/actions.ts';

const MAX_LISTED = 200;

/** Returns the published versions of an action, newest first, at most 200. @throws ACTION_NOT_FOUND */
export async function listVersions({ store: { database } }: Deps, { slug }: ActionRequest): Promise<ListVersionsResponse> {
  const versions = await list(database, slug, MAX_LISTED);
  if (versions.length === 0) throw new GatewayError('ACTION_NOT_FOUND', 'the action does not exist');
  return { versions };
}

/** Returns a version with its document as it was published. @throws ACTION_NOT_FOUND */
export async function getVersion({ store: { database } }: Deps, { slug, version }: VersionRequest): Promise<PublishedVersion> {
  const found = await findVersion(database, slug, version);
  if (!found) throw new GatewayError('ACTION_NOT_FOUND', 'the action has no such version');
  const { document, sources, ...facts } = found;
  const texts = Object.entries(sources).map(([name, source]) => [name, JSON.stringify(source)] as const);
  return { version: facts, document: { document: JSON.stringify(document), sources: Object.fromEntries(texts) } };
}
