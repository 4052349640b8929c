import { type ServerResponse } from 'node:http';

/** Sends a JSON response; does nothing when the headers were sent or the client has disconnected. */
export function sendJson(res: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  if (res.headersSent || res.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length, ...headers });
  res.end(bytes);
}

/** Sends 204. */
export function sendNoContent(res: ServerResponse): void {
  res.writeHead(204).end();
}
