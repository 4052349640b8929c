import { GatewayError } from '@parley/protos/errors';
import { type FilePurpose } from 'openai/resources/files';
import { z } from 'zod';
import { type FileOperations, type OutgoingFile } from '../file-operations.ts';
import { type HttpPools } from '../http-pools.ts';
import { toAuthorizationHeader } from '../openai-compatible/models.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createOpenAiClient } from './client.ts';
import { toResponseError, ignoreNotFound } from './failures.ts';
import { fetchArtifact } from './fetch-artifact.ts';
import { toMultipartForm } from './multipart.ts';

const fileObject = z.object({ id: z.string().min(1) });

/** File operations for conversations: uploads go to the account's Files API, artifacts come from its responses and containers. */
export function createOpenAiFileOperations(pools: HttpPools): FileOperations {
  return {
    upload: async (connection, file) => {
      const purpose = file.mimeType.startsWith('image/') ? 'vision' : 'user_data';
      return { upstreamRef: await uploadFile(pools, connection, purpose, file) };
    },
    remove: (connection, upstreamRef) => removeFile(pools, connection, upstreamRef),
    fetch: (connection, reference, signal) => fetchArtifact(pools, connection, reference, signal),
  };
}

/** Streams a file to the account and returns its OpenAI file id. Throws a coded error. */
export async function uploadFile(
  pools: HttpPools,
  connection: UpstreamConnection,
  purpose: FilePurpose,
  file: OutgoingFile,
): Promise<string> {
  const { contentType, ...upload } = toMultipartForm({ purpose }, file);
  const headers = { 'content-type': contentType, ...toAuthorizationHeader(connection) };
  const body = await pools.requestJson(
    connection.baseUrl,
    '/files',
    { method: 'POST', headers, upload, signal: file.signal },
    toResponseError,
  );
  const parsed = fileObject.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not return the file');
  return parsed.data.id;
}

/** Deletes a file of the account; one that no longer exists is not an error. Throws a coded error. */
export async function removeFile(pools: HttpPools, connection: UpstreamConnection, id: string): Promise<void> {
  await ignoreNotFound(createOpenAiClient(pools, connection).files.delete(id));
}
