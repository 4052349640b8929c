import { type DownloadTicketSigner } from '@parley/kit/downloads/download-ticket-signer';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type AssetLifetimes } from './store/register-artifacts.ts';
import { type Store } from './store/store.ts';
import { type StoreFileDeps } from './upload/store-file.ts';

/** Limits of files for actions. */
export interface ActionInputLimits {
  /** Maximum size in bytes. */
  maxBytes: number;
  /** How long a file waits for its run, in milliseconds. */
  ttlMs: number;
}

/** Dependencies of handlers. */
export interface Deps extends StoreFileDeps {
  store: Store;
  routing: Stub<typeof ChatRoutingServiceService>;
  conversation: Stub<typeof ConversationServiceService>;
  signer: DownloadTicketSigner;
  lifetimes: AssetLifetimes;
  /** Maximum size of a generated asset in bytes. */
  maxBytes: number;
  actionInputs: ActionInputLimits;
  /** Base URL at which the edge reaches the listener for downloads. */
  httpUrl: string;
}
