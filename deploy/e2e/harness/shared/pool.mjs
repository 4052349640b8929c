import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseTemplate } from './database-template.mjs';

const START_SCRIPT = fileURLToPath(new URL('../../../bin/start.mjs', import.meta.url));
const START_MS = 120_000;
const STOP_MS = 120_000;

/**
 * Keeps what test files have in common. It runs in jest's own process, because a worker may be replaced at any time.
 * `POST /compositions` with `{ key, env }` answers with `{ pid, env }` of the composition of that key; the first request starts it.
 * `POST /database-template` answers with the `folder` of a migrated, empty PostgreSQL cluster.
 * `POST /description` with `{ url, authorization }` answers with the OpenAPI documents of the gateway that is named first: `{ whole, people }`.
 */
export class CompositionPool {
  #template = new DatabaseTemplate();
  #compositions = new Map();
  /** The documents as JSON. A gateway takes most of a second to make them, and every gateway of a run has the same. */
  #description;
  #server = createServer((req, res) => void this.#serve(req, res));

  /** Listens on a free port of loopback. Returns the URL. */
  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    // Jest must be able to end although a setup failed elsewhere.
    this.#server.unref();
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Stops every composition and deletes its folder. Throws when one does not end cleanly. */
  async close() {
    this.#server.close();
    this.#server.closeAllConnections();
    const ends = await Promise.allSettled([...this.#compositions.values()].map(async (starting) => stop(await starting)));
    await this.#template.close();
    const failure = ends.find(({ status }) => status === 'rejected');
    if (failure) throw failure.reason;
  }

  async #serve(req, res) {
    try {
      const body = JSON.parse(Buffer.concat(await req.toArray()));
      res.end(req.url === '/description' ? await this.#describe(body) : JSON.stringify(await this.#answer(req.url, body)));
    } catch (error) {
      res.writeHead(500).end(String(error.stack));
    }
  }

  #describe(gateway) {
    this.#description ??= readDescription(gateway).catch((error) => {
      this.#description = undefined;
      throw error;
    });
    return this.#description;
  }

  async #answer(path, { key, env }) {
    if (path === '/database-template') return { folder: await this.#template.folder() };
    const { child, env: started } = await this.#get(key, env);
    return { pid: child.pid, env: started };
  }

  #get(key, env) {
    const known = this.#compositions.get(key);
    if (known) return known;
    const starting = start(env);
    this.#compositions.set(key, starting);
    starting.then(
      ({ exited }) => exited.then(() => this.#compositions.delete(key)),
      () => this.#compositions.delete(key),
    );
    return starting;
  }
}

async function readDescription({ url, authorization }) {
  const read = async (path) => {
    const response = await fetch(url + path, { headers: { authorization } });
    if (response.status !== 200) throw new Error(`${path} answers with ${response.status}`);
    return response.text();
  };
  // One after the other: a gateway with short timeouts would give up on the second while it makes the first.
  const whole = await read('/openapi.json');
  return `{"whole":${whole},"people":${await read('/openapi-me.json')}}`;
}

async function start(env) {
  const folder = env.PARLEY_DATA_DIR;
  const terminal = join(folder, 'terminal.log');
  const output = openSync(terminal, 'w');
  const child = spawn(process.execPath, [START_SCRIPT], { env, stdio: ['ignore', output, output] });
  closeSync(output);
  let exit;
  const exited = once(child, 'close').then(([code, signal]) => (exit = { code, signal }));
  const composition = { child, env, exited, folder };
  const deadline = Date.now() + START_MS;
  while (!(await readFile(terminal, 'utf8')).includes('Parley is ready.')) {
    if (!exit && Date.now() < deadline) {
      await delay(50);
      continue;
    }
    const shown = await readFile(terminal, 'utf8');
    if (!exit) child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    throw new Error(`Parley did not become ready:\n${shown}`);
  }
  return composition;
}

async function stop({ child, exited, folder }) {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  const exit = await exited;
  clearTimeout(timer);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  if (exit.code !== 0) throw new Error(`a shared composition ended with ${JSON.stringify(exit)}`);
}
