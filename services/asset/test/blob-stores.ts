import { type BlobConfig } from '@parley/kit/blob/open-blob-store';
import { once } from 'node:events';
import { s3Server } from '../../kit/test/fixtures/s3-server.ts';

/** An S3 server in memory, for as long as a test file runs. */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const server = s3Server(objects).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = 'test';
  const config: BlobConfig = { kind: 's3', bucket: 'bucket', endpoint: `http://127.0.0.1:${port}` };
  return {
    objects,
    config,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
