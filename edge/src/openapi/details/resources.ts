import { IMAGE_SAMPLE } from './asset-samples.ts';
import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const CREATED = {
  id: SAMPLE.project,
  name: 'Travel',
  slug: 'travel',
  status: 'active',
  effective_memory_policy: 'project_only',
  memory_policy_status: 'verified',
  upstream_account_id: SAMPLE.account,
  created_at: SAMPLE.time,
};
/** Example of an upstream project. */
export const PROJECT_SAMPLE = {
  ...CREATED,
  is_default: false,
  instructions: 'Answer briefly.',
  conversation_count: 3,
  updated_at: SAMPLE.later,
};
const SOURCE = {
  id: SAMPLE.source,
  source_type: 'file',
  title: 'timetable.pdf',
  status: 'processing',
  mime_type: 'application/pdf',
  size_bytes: 90_112,
  created_at: SAMPLE.time,
};

/** Descriptions and examples of the operations on assets and projects. */
export const RESOURCE_DETAILS: DetailsByOperationId = {
  getAsset: { description: '`download_url` is there as soon as the status is `ready`.', response: IMAGE_SAMPLE },
  downloadAsset: { description: 'In parts where `Range` asks for one; `HEAD` answers the headers. Not before the asset is `ready`.' },
  retryAsset: {
    description: 'Fetches, checks and stores it again. Only a failed asset can be retried.',
    response: {
      ...{ id: IMAGE_SAMPLE.id, asset_type: 'image', file_name: IMAGE_SAMPLE.file_name, mime_type: IMAGE_SAMPLE.mime_type, size_bytes: 0 },
      ...{ status: 'discovered', retry_count: 1, created_at: IMAGE_SAMPLE.created_at },
    },
  },
  listProjects: { description: 'The upstream projects that the workspace may select.', response: [PROJECT_SAMPLE] },
  createProject: {
    description: 'Here and upstream. A chat may select it at once, by its slug in `X-Service-Upstream-Project`.',
    request: { name: 'Travel', instructions: 'Answer briefly.', memory_policy: 'project_only' },
    response: CREATED,
  },
  getProject: { description: 'The project and its files.', response: { ...PROJECT_SAMPLE, sources: [{ ...SOURCE, status: 'ready' }] } },
  updateProject: {
    description: 'At least one field is required; null removes the instructions. The slug does not change.',
    request: { instructions: 'Answer in one sentence.' },
    response: { ...PROJECT_SAMPLE, instructions: 'Answer in one sentence.' },
  },
  deleteProject: { description: 'Upstream as well. Its conversations cannot continue after that.' },
  listProjectFiles: { description: 'The oldest first.', response: [{ ...SOURCE, status: 'ready' }] },
  createProjectFile: {
    description: 'Every conversation of the project knows the file once its status is `ready`. Some tiers of accounts may not.',
    request: { file: 'the bytes of timetable.pdf' },
    response: SOURCE,
  },
  deleteProjectFile: { description: 'Upstream as well.' },
};
