import { type CliEnvironment } from './cli-environment.ts';
import { type GatewayClient, createGatewayClient } from './gateway/client.ts';
import { locateGateway } from './gateway/locate.ts';

/** Dependencies and state of a command. */
export interface CliContext {
  environment: CliEnvironment;
  /** Whether the caller wants JSON. */
  json: boolean;
  /** The running gateway. @throws CliError when it or a credential cannot be found */
  gateway: () => Promise<GatewayClient>;
  /** Writes a result to stdout: the value for scripts, or what a person reads. */
  print: (value: unknown, text: () => string) => void;
  /** Set by a command that has done its work and reports a failure: exit code 1. */
  failed: boolean;
}

/** Creates the context of one command line. */
export function createCliContext(environment: CliEnvironment, json: boolean): CliContext {
  return {
    environment,
    json,
    failed: false,
    gateway: async () => createGatewayClient(await locateGateway(environment)),
    print: (value, text) => {
      environment.stdout.write(`${json ? JSON.stringify(value, undefined, 2) : text()}\n`);
    },
  };
}
