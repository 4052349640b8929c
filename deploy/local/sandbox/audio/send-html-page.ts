import { type ServerResponse } from 'node:http';

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n';

/** Sends 200 with a web page, as a proxy in front of a server sometimes does. */
export function sendHtmlPage(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': PAGE.length }).end(PAGE);
}
