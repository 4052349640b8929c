import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Logger } from '@parley/kit/log/logger';
import type { Stub } from '@parley/kit/rpc/client';
import type { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import type { Store } from './store/store.ts';

/** What handlers work with. */
export interface Deps {
  store: Store;
  blobs: BlobStore;
  routing: Stub<typeof ChatRoutingServiceService>;
  log: Logger;
}
