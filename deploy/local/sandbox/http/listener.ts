import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { type SandboxContext } from '../sandbox-context.ts';
import { sendJson } from './respond.ts';
import { createRouter, type Route } from './router.ts';
import { SandboxError } from './sandbox-error.ts';

/** Converts an error to the body of a response, in the format of an API. */
export type ErrorFormatter = (error: SandboxError) => unknown;

/** Formats the errors of the web API; other APIs define their own format. */
export const formatPlainError: ErrorFormatter = ({ code, message }) => ({ error: { code, message } });

/** A route table with the error formatter of each path. */
export interface ApiSurface {
  readonly routes: readonly Route[];
  readonly getErrorFormatter: (path: string) => ErrorFormatter;
}

/** A listening server. */
export interface RunningListener {
  readonly url: string;
  readonly close: () => Promise<void>;
}

function createHandler(surface: ApiSurface, sandbox: SandboxContext): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const route = createRouter(surface.routes);
  return async (req, res) => {
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/';
    try {
      const { handle, params } = route(req.method ?? '', path);
      await handle({ sandbox, req, res, params });
    } catch (cause) {
      // Errors of a handler whose client has disconnected are ignored.
      if (!(cause instanceof SandboxError) && !res.destroyed) sandbox.onError(cause);
      const error = cause instanceof SandboxError ? cause : new SandboxError(500, 'internal_error', 'the sandbox failed');
      sendJson(res, error.status, surface.getErrorFormatter(path)(error), error.headers);
    }
  };
}

function answerBadRequest(_error: Error, socket: Socket): void {
  const body = JSON.stringify(formatPlainError(new SandboxError(400, 'bad_request', 'this is not HTTP')));
  const head = 'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n';
  if (socket.writable) socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  else socket.destroy();
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Starts a server for a route table. Rejects when the port is in use. */
export async function startListener(surface: ApiSurface, sandbox: SandboxContext, host: string, port: number): Promise<RunningListener> {
  const handle = createHandler(surface, sandbox);
  const server = createServer((req, res) => void handle(req, res));
  // Longer than the idle timeout of client pools, which otherwise sometimes send to a connection that is being closed.
  server.keepAliveTimeout = 75_000;
  server.on('clientError', answerBadRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`, close: () => close(server) };
}
