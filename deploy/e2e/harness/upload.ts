import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Answer, call } from './http.ts';
import { type Gateway } from './parley.ts';

/** A file to upload. */
export interface LocalFile {
  name: string;
  bytes: Uint8Array;
  /** What the client says it is. @default 'application/octet-stream' */
  type?: string;
}

/** Where files go and who brings them. */
export interface Uploader {
  gateway: Gateway;
  key: string;
}

const attached = z.looseObject({ file_id: z.string().startsWith('file_'), asset_id: z.uuid(), mime_type: z.string() });
const source = z.looseObject({ id: z.string(), status: z.string() });

/** Posts a form with one file in the field `file`. */
export function upload({ gateway, key }: Uploader, path: string, file: LocalFile): Promise<Answer> {
  return call(gateway, 'POST', path, { key, ...formRequest(file) });
}

/** What is sent for a form with one file in the field `file`. */
export function formRequest(file: LocalFile): { headers: Record<string, string>; body: Buffer } {
  const { type, body } = formOf(file);
  return { headers: { 'content-type': type }, body };
}

/** Attaches a file to a conversation and gives what names it. Throws when it is refused. */
export async function attach(to: Uploader, conversation: string, file: LocalFile): Promise<z.infer<typeof attached>> {
  const answer = await upload(to, `/v1/conversations/${conversation}/attachments`, file);
  if (answer.status !== 200) throw new Error(`${file.name} was refused with ${answer.status}: ${answer.text}`);
  return attached.parse(answer.json);
}

/** Adds a file to a project and gives its source. Throws when it is refused. */
export async function addToProject(to: Uploader, project: string, file: LocalFile): Promise<z.infer<typeof source>> {
  const answer = await upload(to, `/v1/projects/${project}/files`, file);
  if (answer.status !== 201) throw new Error(`${file.name} was refused with ${answer.status}: ${answer.text}`);
  return source.parse(answer.json);
}

/** A form as a browser writes it; by hand, so that names and types travel as they are. */
export function formOf({ name, bytes, type = 'application/octet-stream' }: LocalFile, field = 'file'): { type: string; body: Buffer } {
  const boundary = `----parley-${randomUUID()}`;
  const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${quoted}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
