import { type Command } from 'commander';
import { type CliEnvironment } from '../cli-environment.ts';
import { usageError } from '../cli-error.ts';
import { type GatewayClient } from '../gateway/client.ts';
import { parseNameList } from './parse-name-list.ts';
import { collectInstanceMappings, resolveRoleMappings, type RoleMappingFields, collectWorkspaceMappings } from './role-mappings.ts';
import { readSecretValue } from './secret-options.ts';

/** Options of an OpenID Connect provider, for its creation and for changes. */
export interface OidcOptions {
  name?: string;
  clientId?: string;
  clientSecretStdin?: boolean;
  clientSecretEnv?: string;
  scopes?: string[];
  groupClaim?: string;
  map?: string[];
  mapInstance?: string[];
  allowSignUp?: boolean;
  allowedDomains?: string[];
}

/** The options as fields of the control plane; undefined leaves a field unchanged. */
export interface OidcFields {
  name: string | undefined;
  client_id: string | undefined;
  client_secret?: string | null;
  scopes: string[] | undefined;
  group_claim: string | null | undefined;
  role_mappings: RoleMappingFields[] | undefined;
  allow_sign_up: boolean | undefined;
  allowed_domains: string[] | undefined;
}

const NONE = 'none';

/** Adds the options of a provider to a command. */
export function addOidcOptions(command: Command): Command {
  return command
    .option('--client-secret-stdin', 'read the client secret from standard input')
    .option('--client-secret-env <name>', 'read the client secret from this environment variable')
    .option('--scopes <list>', 'what is asked for, with commas; `openid` always is (default: openid,profile,email)', parseNameList)
    .option('--group-claim <claim>', 'the claim with the groups, or a path such as realm_access.roles (default, and `none`: no groups)')
    .option(
      '--map <group=role@workspace>',
      'the role of a group in a workspace; may be repeated; `none`: no mappings',
      collectWorkspaceMappings,
    )
    .option('--map-instance <group=role>', 'the role of a group for the whole gateway; may be repeated', collectInstanceMappings)
    .option('--allow-sign-up', 'people who are not known get an account')
    .option('--no-allow-sign-up', 'they do not (default)')
    .option(
      '--allowed-domains <list>',
      'domains of verified emails that may sign up, with commas (default, and `none`: all)',
      parseNameList,
    );
}

/** Converts the options to fields of the control plane. @throws CliError a usage error for two client secrets, or a missing one */
export async function toOidcFields(options: OidcOptions, gateway: GatewayClient, environment: CliEnvironment): Promise<OidcFields> {
  const { clientSecretStdin: fromStdin, clientSecretEnv: variable, groupClaim, allowedDomains } = options;
  if (fromStdin && variable !== undefined) throw usageError('give one client secret, from standard input or from the environment');
  const isGiven = fromStdin || variable !== undefined;
  return {
    name: options.name,
    client_id: options.clientId,
    ...(isGiven && { client_secret: await readSecretValue(variable, 'Client secret', environment) }),
    scopes: options.scopes,
    group_claim: groupClaim === NONE ? null : groupClaim,
    role_mappings: await resolveRoleMappings(gateway, options),
    allow_sign_up: options.allowSignUp,
    allowed_domains: allowedDomains?.includes(NONE) ? [] : allowedDomains,
  };
}
