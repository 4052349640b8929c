import { type Caller, type CallInit } from '@parley/kit/rpc/call';
import { type ServiceAddress, connect, type Stub } from '@parley/kit/rpc/client';
import { type Contract } from '@parley/kit/rpc/method';
import { type Span } from '@parley/kit/telemetry/span';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { UsageServiceService } from '@parley/protos/usage/v1/usage';
import { type ServiceAddresses } from './config.ts';

/** Clients of the services that the edge calls. */
export interface Clients {
  chatRouting: Stub<typeof ChatRoutingServiceService>;
  conversation: Stub<typeof ConversationServiceService>;
  usage: Stub<typeof UsageServiceService>;
  asset: Stub<typeof AssetServiceService>;
  audio: Stub<typeof AudioServiceService>;
  actions: Stub<typeof ActionsServiceService>;
  close(): void;
}

/** Connects to every service, in process or over gRPC, depending on its address. Every call carries the trace of its caller's request. */
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

/** Options of a call; the caller may be a principal with a span. */
type TracedInit = CallInit & { caller: Caller & { span?: Span } };

function connectTraced<S extends Contract>(contract: S, address: ServiceAddress): Stub<S> {
  const calls = Object.entries(connect(contract, address) as Record<string, AnyCall>);
  return Object.fromEntries(calls.map(([name, call]) => [name, inTraceOfCaller(call)])) as Stub<S>;
}

/** Wraps a call so that it runs in the span of its caller. The options are the last argument, after the observer of a streaming call. */
function inTraceOfCaller(call: AnyCall): AnyCall {
  return (request, second, third) => {
    const init = (third ?? second) as TracedInit | undefined;
    // Sets the span in the caller's object instead of a copy: each turn makes one such object, and a copy costs as much as its spans.
    if (init?.caller.span) init.span ??= init.caller.span;
    return call(request, second, third);
  };
}
