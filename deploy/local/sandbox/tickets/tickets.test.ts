import { afterAll, beforeEach, afterEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADA, startTestSandbox, type TestSandbox } from '../testing/test-sandbox.ts';
import { ticketsDocument } from './openapi.ts';
import { ticketRoutes } from './routes.ts';

interface Ticket {
  id: string;
  title: string;
  status: string;
}

describe('tickets', () => {
  let sandbox: TestSandbox;
  const folders: string[] = [];
  beforeEach(async () => {
    sandbox = await startTestSandbox();
  });
  afterEach(() => sandbox.close());
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  const send = (method: string, path: string, body?: object, key?: string, apiKey = ADA.api_key) =>
    fetch(sandbox.url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey ?? ''}`, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const made = async (...of: Parameters<typeof send>) => (await (await send(...of)).json()) as Ticket;
  const order = (fault: string, on = 'ticket_create', count = 1) =>
    sandbox.control('POST', '/accounts/ada/faults', { fault, on, count, delay_ms: 50 });

  it('are made, found, changed and listed', async () => {
    const one = await made('POST', '/tickets', { title: 'Door', body: 'It is blue.' });
    const other = await made('POST', '/tickets', { title: 'Window' });
    expect(one).toMatchObject({ title: 'Door', body: 'It is blue.', status: 'open' });
    await expect(made('PATCH', `/tickets/${one.id}`, { status: 'closed' })).resolves.toEqual({ ...one, status: 'closed' });
    await expect(made('GET', `/tickets/${one.id}`)).resolves.toMatchObject({ status: 'closed' });
    await expect((await send('GET', '/tickets')).json()).resolves.toMatchObject({ tickets: [{ id: other.id }, { id: one.id }], total: 2 });
    await expect((await send('GET', '/tickets?title=Door')).json()).resolves.toMatchObject({ tickets: [{ id: one.id }], total: 1 });
    await expect(sandbox.report()).resolves.toMatchObject({
      tickets: [
        { title: 'Door', status: 'closed', writes: 2 },
        { title: 'Window', writes: 1 },
      ],
      ...{ ticket_writes: 3, ticket_duplicates: {} },
    });
  });

  it('are made once for each key, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/tickets', { title: 'Once' }, 'k1')));
    const tickets = (await Promise.all(answers.map((answer) => answer.json()))) as Ticket[];
    expect(new Set(tickets.map(({ id }) => id)).size).toBe(1);
    expect(
      answers
        .map(({ status }) => status)
        .sort((a, b) => b - a)
        .slice(0, 2),
    ).toEqual([201, 200]);
    expect((await send('POST', '/tickets', { title: 'Other' }, 'k1')).status).toBe(422);
    const closed = { status: 'closed' };
    for (let n = 0; n < 2; n++) await send('PATCH', `/tickets/${tickets[0]?.id ?? ''}`, closed, 'k2');
    await expect(sandbox.report()).resolves.toMatchObject({ ticket_writes: 2, ticket_duplicates: {} });
    for (let n = 0; n < 3; n++) await send('POST', '/tickets', { title: 'Often' });
    await expect(sandbox.report()).resolves.toMatchObject({ ticket_writes: 5, ticket_duplicates: { Often: 2 } });
  });

  it('are an account’s own', async () => {
    const bob = { id: 'bob', label: 'Bob', password: 'b', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    const { id } = await made('POST', '/tickets', { title: 'Mine' }, 'k');
    expect((await send('GET', `/tickets/${id}`, undefined, undefined, bob.api_key)).status).toBe(404);
    expect((await send('PATCH', `/tickets/${id}`, {}, undefined, bob.api_key)).status).toBe(404);
    expect((await send('POST', '/tickets', { title: 'Theirs' }, 'k', bob.api_key)).status).toBe(201);
    expect((await send('GET', '/tickets', undefined, undefined, 'sk-unknown')).status).toBe(401);
  });

  it.each([{}, { title: '' }, { title: 'x'.repeat(201) }, { title: 'x', extra: 1 }])('refuse what is no ticket (%#)', async (body) => {
    expect((await send('POST', '/tickets', body)).status).toBe(400);
  });

  it('meet faults: nothing is done, or it is done and its answer lost', async () => {
    await order('server_error');
    expect((await send('POST', '/tickets', { title: 'A' })).status).toBe(500);
    await order('cut');
    await expect(send('POST', '/tickets', { title: 'A' })).rejects.toThrow();
    await expect(sandbox.report()).resolves.toMatchObject({ ticket_writes: 0 });
    await order('lost_answer', 'ticket_create', 2);
    for (let n = 0; n < 2; n++) await expect(send('POST', '/tickets', { title: 'A' }, 'k')).rejects.toThrow();
    expect((await send('POST', '/tickets', { title: 'A' }, 'k')).status).toBe(200);
    await order('slow_first_byte');
    expect((await send('POST', '/tickets', { title: 'B' })).status).toBe(201);
    const { id } = await made('POST', '/tickets', { title: 'C' });
    await order('lost_answer', 'ticket_update');
    await expect(send('PATCH', `/tickets/${id}`, { status: 'closed' })).rejects.toThrow();
    await expect(sandbox.report()).resolves.toMatchObject({ ticket_writes: 4, ticket_duplicates: {} });
  });

  it('outlive a restart, with their keys', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-'));
    folders.push(dataDir);
    await sandbox.close();
    sandbox = await startTestSandbox({ dataDir });
    const { id } = await made('POST', '/tickets', { title: 'Kept' }, 'k');
    await send('PATCH', `/tickets/${id}`, { status: 'closed' });
    await sandbox.close();
    sandbox = await startTestSandbox({ dataDir });
    await expect(made('POST', '/tickets', { title: 'Kept' }, 'k')).resolves.toMatchObject({ id, status: 'closed' });
    await expect(sandbox.report()).resolves.toMatchObject({ ticket_writes: 2, ticket_duplicates: {} });
  });

  it('are described as they are', async () => {
    await expect((await fetch(`${sandbox.url}/openapi/tickets.json`)).json()).resolves.toEqual(ticketsDocument(sandbox.url));
    const { paths } = ticketsDocument('http://x') as { paths: Record<string, Record<string, unknown>> };
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
    );
    const routes = ticketRoutes.flatMap(({ method, path }) => (path.startsWith('/tickets') ? [`${method} ${path}`] : []));
    expect(described.sort()).toEqual(routes.sort());
  });
});
