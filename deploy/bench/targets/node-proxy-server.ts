import { Agent, createServer, request } from 'node:http';

// The least that a gateway in Node can be: no parsing, no keys, no record. About 30 lines, and a process of its own.
const upstream = new URL(process.argv[2] ?? '');
const port = Number(process.argv[3]);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1024 });

const server = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, host: upstream.host };
  delete headers.connection;
  const options = { agent, host: upstream.hostname, port: upstream.port, method: incoming.method, path: incoming.url, headers };
  const forwarded = request(options, (answer) => {
    const kept = { ...answer.headers };
    delete kept.connection;
    outgoing.writeHead(answer.statusCode ?? 502, kept);
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  forwarded.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end();
  });
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) forwarded.destroy();
  });
  incoming.pipe(forwarded);
});
server.listen({ port, host: '127.0.0.1', backlog: 4096 });
