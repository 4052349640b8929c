// The image's HEALTHCHECK: asks the process of this container, whichever it is, the way its clients do. Exits 0 when it serves, 1 when not.
import { Client, credentials } from '@grpc/grpc-js';

const TIMEOUT_MS = 4_000;
const { PARLEY_LISTEN, PARLEY_SANDBOX_PORT, PARLEY_PORT = '8080' } = process.env;

/** A service: the standard gRPC health service. The one field of its answer is number 1; 1 means SERVING. */
function serves(port) {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const raw = (bytes) => bytes;
  return new Promise((resolve) => {
    const done = (_error, answer) => resolve(answer?.[0] === 0x08 && answer[1] === 1);
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', raw, raw, Buffer.alloc(0), { deadline: Date.now() + TIMEOUT_MS }, done);
  });
}

/** The edge says that it lives; the sandbox has no such page, and any answer of it will do. */
async function answers(url, isWell) {
  try {
    return isWell(await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
  } catch {
    return false;
  }
}

async function isHealthy() {
  if (PARLEY_LISTEN) return serves(PARLEY_LISTEN.slice(PARLEY_LISTEN.lastIndexOf(':') + 1));
  if (PARLEY_SANDBOX_PORT) return answers(`http://127.0.0.1:${PARLEY_SANDBOX_PORT}/`, () => true);
  return answers(`http://127.0.0.1:${PARLEY_PORT}/livez`, ({ ok }) => ok);
}

process.exit((await isHealthy()) ? 0 : 1);
