import { sendJson } from '../http/respond.ts';
import { type Route } from '../http/router.ts';
import { withKey } from '../openai/with-key.ts';
import { ticketsDocument } from './openapi.ts';
import { createTicket, getTicket, listTickets, updateTicket } from './tickets.ts';

/** Routes of the tickets API: a small business API that actions can change. */
export const ticketRoutes: readonly Route[] = [
  { method: 'POST', path: '/tickets', handle: withKey(createTicket) },
  { method: 'GET', path: '/tickets', handle: withKey(listTickets) },
  { method: 'GET', path: '/tickets/:id', handle: withKey(getTicket) },
  { method: 'PATCH', path: '/tickets/:id', handle: withKey(updateTicket) },
  {
    method: 'GET',
    path: '/openapi/tickets.json',
    handle: ({ req, res }) => sendJson(res, 200, ticketsDocument(`http://${req.headers.host ?? 'localhost'}`)),
  },
];
