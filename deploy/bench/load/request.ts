/** Where a job's connections go. */
export interface Endpoint {
  host: string;
  port: number;
}

/** Host and port of a base URL; throws for anything but plain http with a port. */
export function endpointOf(url: string): Endpoint {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'http:' || port === '') throw new Error(`the load speaks plain http to a port, not ${url}`);
  return { host: hostname, port: Number(port) };
}

/** Header that names the conversation of a turn, in requests and answers. */
export const CONVERSATION_HEADER = 'X-Service-Conversation-Id';

/** What a request is rendered from. */
export interface RequestParts {
  /** Base URL of the target, without a path. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Renders a request, into a conversation where one is given. Without one it is the same bytes every time and worth keeping. */
export function renderRequest(job: RequestParts, conversation?: string): Buffer {
  const { host, port } = endpointOf(job.url);
  const headers = {
    Host: `${host}:${port}`,
    'Content-Type': 'application/json',
    ...job.headers,
    ...(conversation !== undefined && { [CONVERSATION_HEADER]: conversation }),
    'Content-Length': String(Buffer.byteLength(job.body)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n${job.body}`);
}
