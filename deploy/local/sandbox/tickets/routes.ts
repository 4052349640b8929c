import { sendJson } from '../http/respond.ts';
import { type Route } from '../http/router.ts';
import { withApiKey } from '../openai/with-api-key.ts';
import { ticketsDocument } from './openapi.ts';
import { createTicket, getTicket, listTickets, updateTicket } from './tickets.ts';

/** Routes of the tickets API: a small business API that actions can change. */
export const ticketRoutes: readonly Route[] = [
  { method: 'POST', path: '/tickets', handle: withApiKey(createTicket) },
  { method: 'GET', path: '/tickets', handle: withApiKey(listTickets) },
  { method: 'GET', path: '/tickets/:id', handle: withApiKey(getTicket) },
  { method: 'PATCH', path: '/tickets/:id', handle: withApiKey(updateTicket) },
  {
    method: 'GET',
    path: '/openapi/tickets.json',
    handle: ({ req, res }) => sendJson(res, 200, ticketsDocument(`http://${req.headers.host ?? 'localhost'}`)),
  },
];
