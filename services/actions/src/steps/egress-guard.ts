import { lookup as resolve, type LookupAddress } from 'node:dns';
import { type LookupFunction, type Socket } from 'node:net';
import { parseIp, isPublic } from '@parley/kit/egress/public-address';
import { GatewayError } from '@parley/protos/errors';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type EgressPolicy, toHostKey, isAllowedNetwork } from './egress-policy.ts';

/** A place that steps may not go to; nothing was sent there. */
export class EgressRefused extends Error {
  override name = 'EgressRefused';
  readonly error: GatewayError;

  constructor(message: string) {
    super(message);
    this.error = new GatewayError('ACTION_STEP_FAILED', message);
  }
}

/** Asks for all addresses of a name. */
export type Resolver = (name: string, answer: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

const CONNECT_MS = 5_000;
const BY_SYSTEM: Resolver = (name, answer) => resolve(name, { all: true, verbatim: true }, (error, found) => answer(error, found));

/**
 * Lets requests of steps out of the gateway, or not: the host must be one that the operator allows or the connection's own, and the address that is
 * connected to must be public unless the operator says otherwise. Names are resolved once, for the connect itself, so that what was checked is what
 * is connected to.
 */
export class EgressGuard {
  readonly #policy: EgressPolicy;
  readonly #resolve: Resolver;
  readonly #agent: Agent;

  constructor(policy: EgressPolicy, resolver: Resolver = BY_SYSTEM) {
    this.#policy = policy;
    this.#resolve = resolver;
    const connect = buildConnector({ timeout: CONNECT_MS, lookup: this.#lookup });
    // Without keep-alive: on a connection that the server has closed meanwhile it would be unknown whether a step was done.
    this.#agent = new Agent({ connect: this.#guarded(connect), pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  }

  /** Where admitted requests go through. */
  get dispatcher(): Dispatcher {
    return this.#agent;
  }

  /** Refuses a URL whose host steps may not call; `own` is the base URL of the connection of the run. @throws EgressRefused */
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

  /** Listed addresses apply to URLs with the address itself; no name may resolve to them. */
  #requireAddress(text: string, listedAs?: string): void {
    const address = parseIp(text);
    const isListed = listedAs !== undefined && this.#policy.allowedHosts.has(listedAs);
    if (address && (isPublic(address) || isListed || isAllowedNetwork(address, this.#policy))) return;
    throw new EgressRefused('the host has an address that steps may not connect to');
  }

  /** One forbidden address makes the name forbidden: its name server may return the others next time. */
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

  /** Names are checked as they are resolved; addresses are not resolved, so they are checked here, and so is what has been connected to. */
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
