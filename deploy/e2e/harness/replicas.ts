import { extraProcesses } from './extra-processes.ts';
import { type Gateway } from './parley.ts';
import { type StartProcess } from './start-process.ts';

/** Second replicas of the processes of a gateway, which use its database, broker and upstream. */
export interface Replicas {
  /** The gateway through an edge of its own, which asks the second chat-routing only. */
  second: Gateway;
  /** The gateway through an edge that spreads its turns over both. */
  spread: Gateway;
  /** The second chat-routing, which spreads its records over both conversations. */
  chatRouting: StartProcess;
  conversation: StartProcess;
  stop(): Promise<void>;
}

/** Starts a second conversation, a second chat-routing and two more edges. */
export async function startReplicas(gateway: Gateway, env: Record<string, string>): Promise<Replicas> {
  const { addresses, service, edge, stop } = await extraProcesses(gateway, env);
  try {
    const conversation = await service('conversation');
    const conversations = `${addresses.PARLEY_CONVERSATION_ADDRESS},${conversation.at}`;
    const chatRouting = await service('chat-routing', { PARLEY_CONVERSATION_ADDRESS: conversations });
    const second = await edge('edge-2', { PARLEY_CHAT_ROUTING_ADDRESS: chatRouting.at });
    const spread = await edge('edge-3', { PARLEY_CHAT_ROUTING_ADDRESS: `${addresses.PARLEY_CHAT_ROUTING_ADDRESS},${chatRouting.at}` });
    return { second: second.at, spread: spread.at, chatRouting: chatRouting.process, conversation: conversation.process, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
