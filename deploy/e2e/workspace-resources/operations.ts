import { randomUUID } from 'node:crypto';
import { type Answer, call, type Request } from '../harness/http.ts';
import { type Gateway } from '../harness/parley.ts';
import { formRequest, type LocalFile } from '../harness/upload.ts';

/** What a request of an operation names. */
export interface Ids {
  project: string;
  source: string;
  asset: string;
  /** Where new projects go. */
  account: string;
}

/** An operation on what belongs to a workspace: a new thing or all of them, one project, or one asset. */
export interface Operation {
  /** As the API description calls it. */
  id: string;
  method: string;
  /** As the API description writes it. */
  template: string;
  on: 'workspace' | 'project' | 'asset';
  /** What it answers when it succeeds. */
  status: number;
  /** Its JSON body, for operations that take one. */
  body?: (ids: Ids) => Record<string, unknown>;
  /** The file it takes, in a form. */
  file?: LocalFile;
}

const PROJECTS = '/v1/projects';
const PROJECT = `${PROJECTS}/{project_id}`;
const ASSET = '/v1/assets/{asset_id}';
const NOTE: LocalFile = { name: 'note.txt', bytes: Buffer.from('The door is blue.\n'), type: 'text/plain' };
const aNewName = () => `Doors ${randomUUID()}`;

/** Every operation on projects, their files and assets. */
export const OPERATIONS: readonly Operation[] = [
  { id: 'listProjects', method: 'GET', template: PROJECTS, on: 'workspace', status: 200 },
  {
    ...{ id: 'createProject', method: 'POST', template: PROJECTS, on: 'workspace', status: 201 },
    body: ({ account }) => ({ name: aNewName(), upstream_account_id: account }),
  },
  { id: 'getProject', method: 'GET', template: PROJECT, on: 'project', status: 200 },
  { id: 'updateProject', method: 'PATCH', template: PROJECT, on: 'project', status: 200, body: () => ({ name: aNewName() }) },
  { id: 'deleteProject', method: 'DELETE', template: PROJECT, on: 'project', status: 204 },
  { id: 'listProjectFiles', method: 'GET', template: `${PROJECT}/files`, on: 'project', status: 200 },
  { id: 'createProjectFile', method: 'POST', template: `${PROJECT}/files`, on: 'project', status: 201, file: NOTE },
  { id: 'deleteProjectFile', method: 'DELETE', template: `${PROJECT}/files/{source_id}`, on: 'project', status: 204 },
  { id: 'getAsset', method: 'GET', template: ASSET, on: 'asset', status: 200 },
  { id: 'downloadAsset', method: 'GET', template: `${ASSET}/download`, on: 'asset', status: 200 },
  { id: 'retryAsset', method: 'POST', template: `${ASSET}/retry`, on: 'asset', status: 200 },
];

/** The one with this name. */
export function operation(id: string): Operation {
  const found = OPERATIONS.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

/** Asks for an operation, with something changed. */
export function perform(
  gateway: Gateway,
  { method, template, body, file }: Operation,
  ids: Ids,
  key: string | undefined,
  change: Request & { search?: string } = {},
): Promise<Answer> {
  const { search = '', ...request } = change;
  const path = template.replace('{project_id}', ids.project).replace('{source_id}', ids.source).replace('{asset_id}', ids.asset);
  return call(gateway, method, path + search, { key, ...(body && { body: body(ids) }), ...(file && formRequest(file)), ...request });
}
