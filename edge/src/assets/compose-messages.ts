import { type Caller } from '@parley/kit/rpc/call';
import { type Message } from '@parley/protos/conversation/v1/resource';
import { type z } from 'zod';
import { type Clients } from '../clients.ts';
import { type message, toMessage } from '../wire/message.ts';
import { listAssets } from './list-assets.ts';

type Composed = z.input<typeof message>;

/** A stored message with the current state of its assets. */
export async function composeMessage(clients: Pick<Clients, 'asset'>, caller: Caller, one: Message): Promise<Composed> {
  return toMessage(one, await listAssets(clients, caller, one.assetIds));
}

/** The same for many messages, in as few calls as possible. */
export async function composeMessages(clients: Pick<Clients, 'asset'>, caller: Caller, messages: readonly Message[]): Promise<Composed[]> {
  const ids = new Set(messages.flatMap(({ assetIds }) => assetIds));
  const assets = await listAssets(clients, caller, [...ids]);
  return messages.map((one) => toMessage(one, assets));
}
