import { type ServerResponse } from 'node:http';

const PAGE = '<!doctype html><html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>\n';

/** Answers 200 with a web page, as something in front of a server does now and then. */
export function sendPage(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': PAGE.length }).end(PAGE);
}
