import { type Caller, type CallInit } from '@parley/kit/rpc/call';
import { type Address, connect, type Stub } from '@parley/kit/rpc/client';
import { type Contract } from '@parley/kit/rpc/method';
import { type Span } from '@parley/kit/telemetry/span';
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

/** Connects to every service, in process or over gRPC, as its address says. Every call carries the trace of its caller's request. */
export function connectClients(addresses: ServiceAddresses): Clients {
  const stubs = {
    chatRouting: connectTraced(ChatRoutingServiceService, addresses.chatRoutingAddress),
    conversation: connectTraced(ConversationServiceService, addresses.conversationAddress),
    usage: connectTraced(UsageServiceService, addresses.usageAddress),
    asset: connectTraced(AssetServiceService, addresses.assetAddress),
    audio: connectTraced(AudioServiceService, addresses.audioAddress),
    actions: connectTraced(ActionsServiceService, addresses.actionsAddress),
  };
  return {
    ...stubs,
    close: () => {
      for (const stub of Object.values(stubs)) stub.close();
    },
  };
}

type AnyCall = (request: unknown, ...rest: unknown[]) => unknown;

/** How a call is made; the caller may be a principal. */
type TracedInit = CallInit & { caller: Caller & { span?: Span } };

function connectTraced<S extends Contract>(contract: S, address: Address): Stub<S> {
  const calls = Object.entries(connect(contract, address) as Record<string, AnyCall>);
  return Object.fromEntries(calls.map(([name, call]) => [name, inTraceOfCaller(call)])) as Stub<S>;
}

/** The same call in the span of its caller, which is a principal: how it is made comes last, behind the observer where there is one. */
function inTraceOfCaller(call: AnyCall): AnyCall {
  return (request, second, third) => {
    const init = (third ?? second) as TracedInit | undefined;
    // Written into what was made for this call: each turn makes one, and a copy costs as much as its spans.
    if (init?.caller.span) init.span ??= init.caller.span;
    return call(request, second, third);
  };
}
