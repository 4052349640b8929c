import { readActionsConfig } from '@parley/actions/config';
import { startActionsServer } from '@parley/actions/server';
import { readAssetConfig } from '@parley/asset/config';
import { startAssetServer } from '@parley/asset/server';
import { readAudioConfig } from '@parley/audio/config';
import { startAudioServer } from '@parley/audio/server';
import { readChatRoutingConfig } from '@parley/chat-routing/config';
import { startChatRoutingServer } from '@parley/chat-routing/server';
import { readConversationConfig } from '@parley/conversation/config';
import { startConversationServer } from '@parley/conversation/server';
import { readEdgeSettings } from '@parley/edge/config';
import { startEdgeServer } from '@parley/edge/server';
import { type Env } from '@parley/kit/config/read-config';
import { startWithCleanup } from '@parley/kit/lifecycle/disposables';
import { runService } from '@parley/kit/lifecycle/run-service';
import { createLogger, type Logger } from '@parley/kit/log/logger';
import { readUsageConfig } from '@parley/usage/config';
import { startUsageServer } from '@parley/usage/server';

/** How long the services may take to drain after the edge, in milliseconds. */
const REST_MS = 20_000;

/** The whole composition in one process: the same services, handlers and contracts, called without sockets. */
async function startComposition(env: Env, log: Logger) {
  // The addresses are set here: the values that the configuration readers require are never used.
  const callees = ['CONVERSATION', 'CHAT_ROUTING', 'AUDIO', 'ASSET'];
  const addresses = Object.fromEntries(callees.map((name) => [`PARLEY_${name}_ADDRESS`, 'in-process']));
  const ours = { ...env, PARLEY_LISTEN: '127.0.0.1:0', ...addresses };
  const { logLevel } = readUsageConfig(ours);
  log.level = logLevel;
  const named = (service: string) => ({ log: createLogger({ service, level: logLevel }) });
  const listen = 'in-process';
  return startWithCleanup(async (parts) => {
    const conversation = parts.use(await startConversationServer({ ...readConversationConfig(ours), listen }, named('conversation')));
    const chatRouting = parts.use(
      await startChatRoutingServer(
        { ...readChatRoutingConfig(ours), listen, conversationAddress: conversation.address },
        named('chat-routing'),
      ),
    );
    const usage = parts.use(
      await startUsageServer({ ...readUsageConfig(ours), listen, conversationAddress: conversation.address }, named('usage')),
    );
    const asset = parts.use(
      await startAssetServer(
        { ...readAssetConfig(ours), listen, chatRoutingAddress: chatRouting.address, conversationAddress: conversation.address },
        named('asset'),
      ),
    );
    const audio = parts.use(
      await startAudioServer({ ...readAudioConfig(ours), listen, chatRoutingAddress: chatRouting.address }, named('audio')),
    );
    const called = { chatRoutingAddress: chatRouting.address, audioAddress: audio.address, assetAddress: asset.address };
    const actions = parts.use(await startActionsServer({ ...readActionsConfig(ours), listen, ...called }, named('actions')));
    const edge = parts.use(
      await startEdgeServer(
        {
          ...readEdgeSettings(ours),
          chatRoutingAddress: chatRouting.address,
          conversationAddress: conversation.address,
          usageAddress: usage.address,
          assetAddress: asset.address,
          audioAddress: audio.address,
          actionsAddress: actions.address,
        },
        {
          ...named('edge'),
          services: {
            conversation: () => conversation.ready(),
            'chat-routing': () => chatRouting.ready(),
            usage: () => usage.ready(),
            asset: () => asset.ready(),
            audio: () => audio.ready(),
            actions: () => actions.ready(),
          },
        },
      ),
    );
    return {
      // The edge waits for the requests of its clients; afterwards the services are idle.
      drainMs: edge.drainMs + REST_MS,
      drain: async () => {
        for (const service of [edge, actions, asset, audio, chatRouting, usage, conversation]) await service.drain();
      },
    };
  });
}

const log = createLogger({ service: 'parley' });
await runService({ name: 'parley', log, start: () => startComposition(process.env, log) });
