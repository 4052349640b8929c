import { parseIp, isPublicIp } from '@parley/kit/egress/public-address';
import { GatewayError } from '@parley/protos/errors';
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { type LookupFunction, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type EgressPolicy, toHostKey, isAllowedNetwork } from './egress-policy.ts';

/** The target of a request is not allowed; nothing was sent to it. */
export class EgressRefused extends Error {
  override name = 'EgressRefused';
  readonly error: GatewayError;

  constructor(message: string) {
    super(message);
    this.error = new GatewayError('ACTION_STEP_FAILED', message);
  }
}

/** Resolves a host name to all its addresses. */
export type Resolver = (name: string, answer: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

const CONNECT_MS = 5_000;
const BY_SYSTEM: Resolver = (name, answer) => resolve(name, { all: true, verbatim: true }, (error, found) => answer(error, found));

/**
 * Restricts the targets of steps: the host must be allowed by the operator or be that of the run's connection, and the address that is
 * connected to must be public unless the operator allows it. Names are resolved once, for the connection itself, so that the checked
 * address is the one that is used.
 */
export class EgressGuard {
  readonly #policy: EgressPolicy;
  readonly #resolve: Resolver;
  readonly #agent: Agent;

  constructor(policy: EgressPolicy, resolver: Resolver = BY_SYSTEM) {
    this.#policy = policy;
    this.#resolve = resolver;
    const connect = buildConnector({ timeout: CONNECT_MS, lookup: this.#lookup });
    // Without keep-alive: if the server had closed an idle connection, it would be unknown whether a step was executed.
    this.#agent = new Agent({ connect: this.#guarded(connect), pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** The dispatcher for admitted requests; checks addresses when it connects. */
  get dispatcher(): Dispatcher {
    return this.#agent;
  }

  /** Checks that steps may call the host of a URL; `own` is the base URL of the run's connection. @throws EgressRefused */
  admit(url: URL, own?: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new EgressRefused('steps call http and https only');
    if (url.username !== '' || url.password !== '') throw new EgressRefused('a URL that steps call holds no credentials');
    const isOwn = own !== undefined && toHostKey(own) === toHostKey(url);
    if (!isOwn && !this.#policy.allowedHosts.has(toHostKey(url))) throw new EgressRefused('the host is not one that steps may call');
    const address = parseIp(url.hostname);
    // Addresses are checked here; names are checked when they are resolved.
    if (address) this.#requireAddress(url.hostname, toHostKey(url));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Checks an address. A listed address is allowed only in URLs with the address itself; no name may resolve to it. */
  #requireAddress(text: string, listedAs?: string): void {
    const address = parseIp(text);
    const isListed = listedAs !== undefined && this.#policy.allowedHosts.has(listedAs);
    if (address && (isPublicIp(address) || isListed || isAllowedNetwork(address, this.#policy))) return;
    throw new EgressRefused('the host has an address that steps may not connect to');
  }

  /** Resolves a name and checks its addresses. One forbidden address rejects the name: its name server may return the others next time. */
  readonly #lookup: LookupFunction = (name, options, answer) => {
    this.#resolve(name, (error, addresses) => {
      if (error) return answer(error, '');
      try {
        for (const { address } of addresses) this.#requireAddress(address);
      } catch (refused) {
        return answer(refused as Error, '');
      }
      const wanted = addresses.filter(({ family }) => !options.family || options.family === family || options.family === `IPv${family}`);
      const [first] = wanted;
      if (!first) return answer(Object.assign(new Error('the name has no address'), { code: 'ENOTFOUND' }), '');
      return options.all ? answer(null, [...wanted]) : answer(null, first.address, first.family);
    });
  };

  /** Wraps a connector: checks addresses in URLs, which are not resolved, and the remote address after the connect. */
  #guarded(connect: buildConnector.connector): buildConnector.connector {
    return (options, done) => {
      const { hostname, protocol, port } = options;
      const isAddress = parseIp(hostname) !== undefined;
      const listedAs = isAddress ? toHostKey({ hostname: bracketed(hostname), protocol, port }) : undefined;
      try {
        if (isAddress) this.#requireAddress(hostname, listedAs);
      } catch (refused) {
        return void queueMicrotask(() => done(refused as Error, null));
      }
      return connect(options, (...[error, socket]) => {
        if (error) return done(error, null);
        try {
          this.#requireAddress(remoteAddress(socket), listedAs);
        } catch (refused) {
          socket.destroy();
          return done(refused as Error, null);
        }
        return done(null, socket);
      });
    };
  }
}

function remoteAddress({ remoteAddress: address = '' }: Socket): string {
  return address;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
