const json = (schema: object) => ({ 'application/json': { schema } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answers = (description: string, schema: object) => ({ description, content: json(schema) });
const ERROR = answers('What is wrong, in `error.code`.', ref('Error'));

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The write is done once for each key; the same key with another body is refused.',
  schema: { type: 'string' },
};
const title = { type: 'string', minLength: 1, maxLength: 200 };
const body = { type: 'string', maxLength: 100_000 };
const status = { type: 'string', enum: ['open', 'closed'] };

const PATHS = {
  '/tickets': {
    post: {
      operationId: 'createTicket',
      summary: 'Opens a ticket.',
      parameters: [KEY],
      requestBody: {
        required: true,
        content: json({ type: 'object', additionalProperties: false, required: ['title'], properties: { title, body } }),
      },
      responses: {
        '201': answers('The ticket.', ref('Ticket')),
        '200': answers('The ticket that the key made before.', ref('Ticket')),
        '400': ERROR,
        '401': ERROR,
        '422': ERROR,
      },
    },
    get: {
      operationId: 'listTickets',
      summary: 'Tickets, newest first, 100 at most.',
      parameters: [{ name: 'title', in: 'query', description: 'Only those that are called so.', schema: { type: 'string' } }],
      responses: {
        '200': answers('Tickets, and how many there are.', {
          type: 'object',
          required: ['tickets', 'total'],
          properties: { tickets: { type: 'array', items: ref('Ticket') }, total: { type: 'integer' } },
        }),
        '401': ERROR,
      },
    },
  },
  '/tickets/{id}': {
    get: {
      operationId: 'getTicket',
      summary: 'A ticket.',
      parameters: [ID],
      responses: { '200': answers('The ticket.', ref('Ticket')), '401': ERROR, '404': ERROR },
    },
    patch: {
      operationId: 'updateTicket',
      summary: 'Changes a ticket.',
      parameters: [ID, KEY],
      requestBody: {
        required: true,
        content: json({ type: 'object', additionalProperties: false, properties: { title, body, status } }),
      },
      responses: { '200': answers('The ticket as it is now.', ref('Ticket')), '400': ERROR, '401': ERROR, '404': ERROR, '422': ERROR },
    },
  },
};

const SCHEMAS = {
  Ticket: {
    type: 'object',
    required: ['id', 'title', 'body', 'status', 'created_at'],
    properties: { id: { type: 'string' }, title, body, status, created_at: { type: 'string', format: 'date-time' } },
  },
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: { type: 'object', required: ['code', 'message'], properties: { code: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

/** Returns the OpenAPI 3.1 document of the tickets API; `url`: base URL of the sandbox. */
export function ticketsDocument(url: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tickets',
      version: '1.0.0',
      description: 'Tickets of a small business.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url }],
    security: [{ key: [] }],
    paths: PATHS,
    components: { schemas: SCHEMAS, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
}
