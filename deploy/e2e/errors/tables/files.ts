import { UNKNOWN_ID } from '../../bad-inputs/rows.ts';
import { attach, type LocalFile } from '../../harness/upload.ts';
import { makeFailedAsset } from '../../workspace-resources/make-resources.ts';
import { inATenant, type ErrorContext } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

const NOTE: LocalFile = { name: 'note.txt', bytes: Buffer.from('The door is blue.\n'), type: 'text/plain' };

const attached = async ({ gateway, key, begin }: ErrorContext): Promise<string> =>
  (await attach({ gateway, key }, await begin(), NOTE)).asset_id;
/** Asks for something after a fault was ordered for it. */
const meeting = (on: string, fault: string, act: (context: ErrorContext) => Promise<() => ReturnType<ErrorContext['send']>>): Provoke =>
  inATenant(async (context) => {
    const ask = await act(context);
    await context.fault(fault, { on });
    return ask();
  });
const creating = ({ send }: ErrorContext) => Promise.resolve(() => send('POST', '/v1/projects', { body: { name: 'Doors' } }));
const renaming = async ({ send, project }: ErrorContext) => {
  const { id } = await project();
  return () => send('PATCH', `/v1/projects/${id}`, { body: { name: 'Windows' } });
};
const uploading = async ({ upload, begin }: ErrorContext) => {
  const conversation = await begin();
  return () => upload(`/v1/conversations/${conversation}/attachments`, NOTE);
};
const adding = async ({ upload, project }: ErrorContext) => {
  const { id } = await project();
  return () => upload(`/v1/projects/${id}/files`, NOTE);
};

/** Errors of projects, their files and assets. */
export const FILES: readonly Row[] = [
  [
    'PROJECT_NOT_FOUND',
    'a project that there is not',
    inATenant(({ send }) => send('GET', `/v1/projects/${UNKNOWN_ID}`)),
    { param: 'project_id' },
  ],
  [
    'SOURCE_NOT_FOUND',
    'a file that the project does not have',
    inATenant(async ({ send, project }) => send('DELETE', `/v1/projects/${(await project()).id}/files/${UNKNOWN_ID}`)),
    { param: 'source_id' },
  ],
  [
    'PROJECT_ALREADY_EXISTS',
    'a name that the account has a project of',
    inATenant(async ({ send, project }) => {
      await project('Doors');
      return send('POST', '/v1/projects', { body: { name: 'Doors' } });
    }),
    { param: 'name' },
  ],
  ['PROJECT_CREATE_FAILED', 'the upstream fails to make a project', meeting('project_create', 'server_error', creating)],
  ['PROJECT_UPDATE_FAILED', 'the upstream fails to rename a project', meeting('project_update', 'server_error', renaming)],
  ['UPLOAD_FAILED', 'the upstream fails to take a file', meeting('uploads', 'server_error', uploading)],
  ['UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'the tier takes no files into projects', meeting('sources', 'upgrade_required', adding)],
  ['ASSET_NOT_FOUND', 'an asset that there is not', inATenant(({ send }) => send('GET', `/v1/assets/${UNKNOWN_ID}`))],
  [
    'ASSET_ACCESS_DENIED',
    'the asset of another workspace',
    inATenant(async (context) => {
      const asset = await attached(context);
      return inATenant(({ send }) => send('GET', `/v1/assets/${asset}`), [])(context.gateway);
    }),
  ],
  [
    'ASSET_NOT_READY',
    'a download of what could not be fetched',
    inATenant(async ({ gateway, tenant, send }) => send('GET', `/v1/assets/${await makeFailedAsset(gateway, tenant)}/download`)),
  ],
  [
    'ASSET_NOT_RETRYABLE',
    'a retry of what has not failed',
    inATenant(async (context) => context.send('POST', `/v1/assets/${await attached(context)}/retry`)),
  ],
  [
    'RANGE_NOT_SATISFIABLE',
    'a part behind the end of a file',
    inATenant(async (context) =>
      context.send('GET', `/v1/assets/${await attached(context)}/download`, { headers: { range: 'bytes=999-' } }),
    ),
    { param: 'Range', headers: { 'content-range': /^bytes \*\/18$/ } },
  ],
];
