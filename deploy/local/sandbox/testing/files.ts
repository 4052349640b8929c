import { z } from 'zod';
import { type TestSandbox } from './test-sandbox.ts';

const fileSchema = z.object({ id: z.string(), name: z.string(), mime_type: z.string(), size: z.number(), status: z.string() });

/** A file in the form of the web API. */
export type ToldFile = z.infer<typeof fileSchema>;

/** A file to upload; to a project when `project` is set. */
export interface Upload {
  readonly name: string;
  readonly bytes: string | Uint8Array<ArrayBuffer>;
  readonly type?: string;
  readonly project?: string;
}

/** Uploads a file and resolves with the response. */
export function sendFile(sandbox: TestSandbox, token: string, { name, bytes, type = 'text/plain', project }: Upload): Promise<Response> {
  const path = project === undefined ? '/api/files' : `/api/projects/${project}/files`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'x-file-name': encodeURIComponent(name) };
  return fetch(sandbox.url + path, { method: 'POST', headers, body: bytes });
}

/** Uploads a file and resolves with its record; rejects when the upload is rejected. */
export async function upload(sandbox: TestSandbox, token: string, file: Upload): Promise<ToldFile> {
  const response = await sendFile(sandbox, token, file);
  if (response.status !== 201) throw new Error(`the upload answered ${response.status}: ${await response.text()}`);
  return fileSchema.parse(await response.json());
}

/** Resolves with the files of a project. */
export async function projectFiles(sandbox: TestSandbox, token: string, project: string): Promise<ToldFile[]> {
  const response = await sandbox.call('GET', `/api/projects/${project}/files`, undefined, token);
  return z.object({ files: z.array(fileSchema) }).parse(await response.json()).files;
}

const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  instructions: z.string(),
  memory_policy: z.string(),
  created_at: z.string(),
});

/** Creates a project and resolves with it. */
export async function makeProject(sandbox: TestSandbox, token: string, fields: object) {
  const response = await sandbox.call('POST', '/api/projects', { name: 'P', ...fields }, token);
  return projectSchema.parse(await response.json());
}
