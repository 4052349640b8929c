import { once } from 'node:events';
import { s3Server } from '../../../services/kit/test/fixtures/s3-server.ts';

/** A bucket of an S3 server in memory. */
export interface Bucket {
  /** What is in it, by key. */
  readonly objects: ReadonlyMap<string, Buffer>;
  /** What makes a gateway keep its files there. */
  readonly env: Record<string, string>;
  /** The secret that the gateway signs its requests with. */
  readonly secret: string;
  /** Whether it takes nothing any more, as when it is full. */
  setFull(full: boolean): void;
  close(): Promise<void>;
}

/** Opens a bucket on a server of its own. */
export async function openBucket(): Promise<Bucket> {
  const objects = new Map<string, Buffer>();
  let full = false;
  const server = s3Server(objects, () => full).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const secret = 'the secret of the bucket';
  return {
    objects,
    secret,
    env: {
      PARLEY_BLOB_STORE: `s3://bucket?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
      AWS_ACCESS_KEY_ID: 'bucket',
      AWS_SECRET_ACCESS_KEY: secret,
    },
    setFull: (value) => {
      full = value;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
