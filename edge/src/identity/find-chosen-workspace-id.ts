import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { type Rights } from '../config/roles.ts';
import { parseQuery } from '../middleware/parse-query.ts';
import { readHeader, requireSingleHeaders } from '../middleware/read-header.ts';
import { WORKSPACE_PARAM } from '../wire/link-writer.ts';

/** The header with which a person chooses the workspace of a request. */
const WORKSPACE_HEADER = 'X-Service-Workspace';

/**
 * Returns the id of the workspace that a request chooses: by the header or, where a browser cannot send one (links, images, event streams),
 * by the query. Without a choice it is the only workspace that the person is a member of; undefined when there is no membership.
 * @throws GatewayError VALIDATION_ERROR that names the header or the query parameter, also when a member of several workspaces chooses none
 */
export function findChosenWorkspaceId(req: IncomingMessage, { memberships }: Rights): string | undefined {
  requireSingleHeaders(req, [WORKSPACE_HEADER]);
  const header = readUuid(readHeader(req.headers, WORKSPACE_HEADER), WORKSPACE_HEADER);
  const query = readUuid(parseQuery(req.url ?? '')[WORKSPACE_PARAM] ?? '', WORKSPACE_PARAM);
  if (header !== undefined && query !== undefined && header !== query) {
    throw invalid(`${WORKSPACE_HEADER} and ${WORKSPACE_PARAM} name different workspaces`);
  }
  const chosen = header ?? query;
  if (chosen === undefined && memberships.length > 1) throw invalid(`you are a member of ${memberships.length} workspaces: name one`);
  return chosen ?? memberships[0]?.workspaceId;
}

function readUuid(value: string, name: string): string | undefined {
  if (value === '') return undefined;
  if (!isUuid(value)) throw invalid(`${name} must be a UUID`, name);
  return value.toLowerCase();
}

function invalid(message: string, param = WORKSPACE_HEADER): GatewayError {
  return new GatewayError('VALIDATION_ERROR', message, { param });
}
