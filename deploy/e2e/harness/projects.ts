import { z } from 'zod';
import { call } from './http.ts';
import { type Uploader } from './upload.ts';

const project = z.looseObject({
  id: z.uuid(),
  slug: z.string(),
  effective_memory_policy: z.string(),
  memory_policy_status: z.string(),
  upstream_account_id: z.uuid(),
});

/** A project as its creation answers it. */
export type CreatedProject = z.infer<typeof project>;

/** What a project is made of. */
export interface NewProject {
  name: string;
  instructions?: string;
  memory_policy?: string;
  upstream_account_id?: string;
}

/** Makes a project. Throws when it is refused. */
export async function createProject({ gateway, key }: Uploader, fields: NewProject): Promise<CreatedProject> {
  const answer = await call(gateway, 'POST', '/v1/projects', { key, body: fields });
  if (answer.status !== 201) throw new Error(`the project was refused with ${answer.status}: ${answer.text}`);
  return project.parse(answer.json);
}
