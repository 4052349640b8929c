import { z } from 'zod';
import { type conversation, CONVERSATION_STATUSES, DESTINATION_TYPES, toConversation } from '../../wire/conversation.ts';
import { getLinkWriter } from '../../wire/link-writer.ts';
import { type RouteDeps } from '../deps.ts';
import { search, uuid } from '../fields.ts';
import { pageHeaders, paging, uncountedPageHeaders } from '../paging.ts';
import { type Input, type Reply } from '../route.ts';
import { booleanParam } from './fields.ts';

/** Query parameters of the list of conversations. */
export const conversationsQuery = z.object({
  status_filter: z.enum(CONVERSATION_STATUSES).optional().meta({ description: 'Only conversations with this status.' }),
  search: search.optional().meta({ description: 'Only conversations with this text in the title or a message; case-insensitive.' }),
  pinned_only: booleanParam.default(false).meta({ type: 'boolean', default: false, description: 'Only pinned conversations.' }),
  destination_filter: z.enum(DESTINATION_TYPES).optional().meta({ description: 'Only general conversations, or only those in projects.' }),
  account_filter: uuid.optional().meta({ description: 'Only conversations on this account.' }),
  project_filter: uuid.optional().meta({ description: 'Only conversations in this upstream project.' }),
  ...paging,
});

/** Returns a page of the conversations that the caller may read, newest activity first. */
export async function listConversations(
  { principal, query }: Input<undefined, z.output<typeof conversationsQuery>>,
  { clients }: RouteDeps,
): Promise<Reply<z.input<typeof conversation>[]>> {
  const { limit, offset, pinned_only: pinnedOnly, ...filters } = query;
  const { conversations, total, totalExceeded } = await clients.conversation.listConversations(
    {
      statusFilter: filters.status_filter ?? '',
      search: filters.search ?? '',
      pinnedOnly,
      destinationFilter: filters.destination_filter ?? '',
      accountFilter: filters.account_filter ?? '',
      projectFilter: filters.project_filter ?? '',
      limit,
      offset,
    },
    { caller: principal },
  );
  const asked = { ...filters, ...(pinnedOnly && { pinned_only: 'true' }) };
  const headers = totalExceeded
    ? uncountedPageHeaders('/v1/conversations', asked, query, conversations.length, getLinkWriter(principal))
    : pageHeaders('/v1/conversations', asked, query, total, getLinkWriter(principal));
  return { body: conversations.map(toConversation), headers };
}
