import { connect, type Stub } from '@parley/kit/rpc/client';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { type ServiceAddresses } from './config.ts';

/** The services as the edge calls them. */
export interface Clients {
  chatRouting: Stub<typeof ChatRoutingServiceService>;
  conversation: Stub<typeof ConversationServiceService>;
  usage: Stub<typeof UsageServiceService>;
  asset: Stub<typeof AssetServiceService>;
  audio: Stub<typeof AudioServiceService>;
  actions: Stub<typeof ActionsServiceService>;
  close(): void;
}

/** Connects to every service; in process or over gRPC, as its address says. */
export function connectClients(addresses: ServiceAddresses): Clients {
  const stubs = {
    chatRouting: connect(ChatRoutingServiceService, addresses.chatRoutingAddress),
    conversation: connect(ConversationServiceService, addresses.conversationAddress),
    usage: connect(UsageServiceService, addresses.usageAddress),
    asset: connect(AssetServiceService, addresses.assetAddress),
    audio: connect(AudioServiceService, addresses.audioAddress),
    actions: connect(ActionsServiceService, addresses.actionsAddress),
  };
  return {
    ...stubs,
    close: () => {
      for (const stub of Object.values(stubs)) stub.close();
    },
  };
}
