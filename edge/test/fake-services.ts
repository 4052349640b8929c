import { createLogger } from '@parley/kit/log/logger';
import { type Call, type Caller } from '@parley/kit/rpc/call';
import { type Contract } from '@parley/kit/rpc/method';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { ActionsServiceService } from '@parley/protos/actions/v1/actions';
import { AssetServiceService } from '@parley/protos/asset/v1/asset';
import { AudioServiceService } from '@parley/protos/audio/v1/audio';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { UsageGroup, UsageServiceService } from '@parley/protos/usage/v1/usage';
import { type ServiceAddresses } from '../src/config.ts';
import { FakeActions } from './fake-actions.ts';
import { FakeAssets } from './fake-assets.ts';
import { FakeAudio } from './fake-audio.ts';
import { FakeConversations } from './fake-conversations.ts';
import { FakeQuotas } from './fake-quotas.ts';
import { FakeRouting } from './fake-routing.ts';

/** Services that are played in this process. */
export interface FakeServices {
  addresses: ServiceAddresses;
  routing: FakeRouting;
  conversations: FakeConversations;
  assets: FakeAssets;
  audio: FakeAudio;
  actions: FakeActions;
  /** Who asked for usage, and for which period. */
  usageCalls: { period: string; call: Call }[];
  /** Groups of every report by group, and who asked for one. */
  usageGroups: { ids: string[]; calls: Caller[]; keyIds: string[]; asked: { period: string; since: string; until: string } | undefined };
  quotas: FakeQuotas;
}

const log = createLogger({ service: 'fake', level: 'silent' });

/** Starts the played services. */
export async function startFakeServices(): Promise<FakeServices> {
  const conversations = new FakeConversations();
  const routing = new FakeRouting(conversations);
  const assets = new FakeAssets();
  const audio = new FakeAudio();
  const actions = new FakeActions();
  const usageCalls: FakeServices['usageCalls'] = [];
  const usageGroups: FakeServices['usageGroups'] = { ids: [], calls: [], keyIds: [], asked: undefined };
  const quotas = new FakeQuotas();
  const usage: Handlers<typeof UsageServiceService> = {
    ...quotas.handlers(),
    listUsageGroups: async ({ keyIds, period, since, until }, { caller }) => {
      usageGroups.asked = { period, since, until };
      usageGroups.calls.push(caller);
      usageGroups.keyIds = keyIds;
      return { groups: usageGroups.ids.map(group) };
    },
    getUsage: async ({ period }, call) => {
      usageCalls.push({ period, call });
      return report(period, call.caller.keyId === '' ? 'all' : 'api_key');
    },
  };
  const play = async <S extends Contract>(contract: S, handlers: Handlers<S>) =>
    (await serve(contract, handlers, 'in-process', log)).address;
  return {
    routing,
    conversations,
    assets,
    audio,
    actions,
    usageCalls,
    usageGroups,
    quotas,
    addresses: {
      chatRoutingAddress: await play(ChatRoutingServiceService, routing.handlers()),
      usageAddress: await play(UsageServiceService, usage),
      conversationAddress: await play(ConversationServiceService, conversations.handlers()),
      assetAddress: await play(AssetServiceService, assets.handlers()),
      audioAddress: await play(AudioServiceService, audio.handlers()),
      actionsAddress: await play(ActionsServiceService, { ...absent(ActionsServiceService), ...actions.handlers() }),
    },
  };
}

function group(id: string): UsageGroup {
  return { ...UsageGroup.decode(new Uint8Array()), id };
}

function report(period: string, scope: string) {
  return {
    period,
    scope,
    totalRequests: 3,
    successful: 2,
    errors: 1,
    rateLimited: 0,
    totalTokensIn: 10,
    totalTokensOut: 20,
    totalDurationMs: 30,
    byModel: [{ model: 'sandbox-1', requests: 3, tokensIn: 10, tokensOut: 20 }],
    byDay: [{ date: '2025-01-31', requests: 3, tokens: 30 }],
  };
}

/** A service of which nothing is expected here. */
function absent<S extends Contract>(contract: S): Handlers<S> {
  const refuse = () => Promise.reject(new GatewayError('NOT_IMPLEMENTED', 'not played'));
  return Object.fromEntries(Object.keys(contract).map((name) => [name, refuse])) as unknown as Handlers<S>;
}
