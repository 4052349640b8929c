import { type Caller } from '@parley/kit/rpc/call';
import { type Message } from '@parley/protos/conversation/v1/resource';
import { type z } from 'zod';
import { type Clients } from '../clients.ts';
import { type Principal } from '../middleware/principal.ts';
import { getLinkWriter } from '../wire/link-writer.ts';
import { type message, toMessage } from '../wire/message.ts';
import { listAssets } from './list-assets.ts';

type Composed = z.input<typeof message>;

/** The reader of a message; its links depend on the session. */
type Reader = Caller & Pick<Principal, 'session'>;

/** Converts a stored message to its JSON form, with the current state of its assets. */
export async function toMessageWithAssets(clients: Pick<Clients, 'asset'>, caller: Reader, one: Message): Promise<Composed> {
  return toMessage(one, await listAssets(clients, caller, one.assetIds), getLinkWriter(caller));
}

/** Converts stored messages to their JSON form, with as few calls for their assets as possible. */
export async function toMessagesWithAssets(
  clients: Pick<Clients, 'asset'>,
  caller: Reader,
  messages: readonly Message[],
): Promise<Composed[]> {
  const ids = new Set(messages.flatMap(({ assetIds }) => assetIds));
  const assets = await listAssets(clients, caller, [...ids]);
  const link = getLinkWriter(caller);
  return messages.map((one) => toMessage(one, assets, link));
}
