import { Command } from 'commander';
import { type CliContext } from './cli-context.ts';
import { cohortCommand } from './commands/actions/cohort.ts';
import { disableAction, enableAction } from './commands/actions/enable-disable.ts';
import { listActions } from './commands/actions/list.ts';
import { publishAction } from './commands/actions/publish.ts';
import { validateAction } from './commands/actions/validate.ts';
import { exportAudit } from './commands/audit/export.ts';
import { listAudit } from './commands/audit/list.ts';
import { verifyAudit } from './commands/audit/verify.ts';
import { backupCommand } from './commands/backup.ts';
import { addConnection } from './commands/connections/add.ts';
import { disableConnection } from './commands/connections/disable.ts';
import { enableConnection } from './commands/connections/enable.ts';
import { listConnections } from './commands/connections/list.ts';
import { reconnectConnection } from './commands/connections/reconnect.ts';
import { removeConnection } from './commands/connections/remove.ts';
import { rotateSecrets } from './commands/connections/rotate-secrets.ts';
import { testConnection } from './commands/connections/test.ts';
import { updateConnection } from './commands/connections/update.ts';
import { exportConversation } from './commands/conversations/export.ts';
import { importConversation } from './commands/conversations/import.ts';
import { doctorCommand } from './commands/doctor.ts';
import { listInternalProjects } from './commands/internal-projects/list.ts';
import { removeInternalProject } from './commands/internal-projects/remove.ts';
import { setInternalProject } from './commands/internal-projects/set.ts';
import { createKey } from './commands/keys/create.ts';
import { listKeys } from './commands/keys/list.ts';
import { revokeKey } from './commands/keys/revoke.ts';
import { updateKey } from './commands/keys/update.ts';
import { loginCommand } from './commands/login/login.ts';
import { logoutCommand } from './commands/login/logout.ts';
import { whoamiCommand } from './commands/login/whoami.ts';
import { addOidcProvider } from './commands/oidc-providers/add.ts';
import { listOidcProviders } from './commands/oidc-providers/list.ts';
import { removeOidcProvider } from './commands/oidc-providers/remove.ts';
import { testOidcProvider } from './commands/oidc-providers/test.ts';
import { updateOidcProvider } from './commands/oidc-providers/update.ts';
import { listProfiles } from './commands/profiles/list.ts';
import { removeProfile } from './commands/profiles/remove.ts';
import { setProfile } from './commands/profiles/set.ts';
import { bindProject, setDefaultProject, unbindProject } from './commands/projects/bindings.ts';
import { listProjects } from './commands/projects/list.ts';
import { registerProject } from './commands/projects/register.ts';
import { restoreCommand } from './commands/restore.ts';
import { addServiceAccount } from './commands/service-accounts/add.ts';
import { listServiceAccounts } from './commands/service-accounts/list.ts';
import { removeServiceAccount } from './commands/service-accounts/remove.ts';
import { rotateServiceAccountSecret } from './commands/service-accounts/rotate-secret.ts';
import { statusCommand } from './commands/status.ts';
import { traceCommand } from './commands/trace.ts';
import { turnsCommand } from './commands/turns.ts';
import { usageCommand } from './commands/usage.ts';
import { inviteUser } from './commands/users/invite.ts';
import { listUsers } from './commands/users/list.ts';
import { createResetLink } from './commands/users/reset-link.ts';
import { createSetupLink } from './commands/users/setup-link.ts';
import { createWorkspace } from './commands/workspaces/create.ts';
import { listWorkspaces } from './commands/workspaces/list.ts';
import { updateWorkspace } from './commands/workspaces/update.ts';

const ENVIRONMENT = `
The gateway is the one that runs from the data folder (PARLEY_DATA_DIR, default .parley), or the one at PARLEY_URL.
Its control plane opens with PARLEY_SERVICE_ACCOUNT_ID and PARLEY_SERVICE_ACCOUNT_SECRET, else PARLEY_OPERATOR_KEY, else a login
(parley login), else the operator key in the data folder.
Exit codes: 0 ok, 1 failed, 2 called wrongly.`;

/** The whole command line. */
export function createProgram(context: CliContext): Command {
  const { stdout, stderr } = context.environment;
  const program = new Command('parley')
    .description('Look after a running Parley.')
    .option('--json', 'print JSON')
    .addHelpText('after', ENVIRONMENT)
    .addCommand(loginCommand(context))
    .addCommand(logoutCommand(context))
    .addCommand(whoamiCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(usageCommand(context))
    .addCommand(traceCommand(context))
    .addCommand(turnsCommand(context))
    .addCommand(doctorCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(group('keys', 'API keys of clients', [listKeys(context), createKey(context), updateKey(context), revokeKey(context)]))
    .addCommand(
      group('connections', 'Accounts at upstream providers', [
        listConnections(context),
        addConnection(context),
        updateConnection(context),
        removeConnection(context),
        testConnection(context),
        enableConnection(context),
        disableConnection(context),
        reconnectConnection(context),
        rotateSecrets(context),
      ]),
    )
    .addCommand(
      group('workspaces', 'Tenants, and how much each may ask at once', [
        listWorkspaces(context),
        createWorkspace(context),
        updateWorkspace(context),
      ]),
    )
    .addCommand(group('audit', 'Who changed what', [listAudit(context), exportAudit(context), verifyAudit(context)]))
    .addCommand(
      group('users', 'People who sign in', [listUsers(context), inviteUser(context), createSetupLink(context), createResetLink(context)]),
    )
    .addCommand(
      group('service-accounts', 'Programs that run the control plane', [
        listServiceAccounts(context),
        addServiceAccount(context),
        rotateServiceAccountSecret(context),
        removeServiceAccount(context),
      ]),
    )
    .addCommand(
      group('oidc-providers', 'Where people sign in with OpenID Connect', [
        listOidcProviders(context),
        addOidcProvider(context),
        updateOidcProvider(context),
        removeOidcProvider(context),
        testOidcProvider(context),
      ]),
    )
    .addCommand(group('conversations', 'Take conversations out and in', [exportConversation(context), importConversation(context)]))
    .addCommand(
      group('actions', 'Published workflows, and the workspaces that may run them', [
        validateAction(context),
        publishAction(context),
        listActions(context),
        disableAction(context),
        enableAction(context),
        cohortCommand(context),
      ]),
    )
    .addCommand(
      group('profiles', 'Route profiles (header X-Service-Route-Profile)', [
        listProfiles(context),
        setProfile(context),
        removeProfile(context),
      ]),
    )
    .addCommand(
      group('projects', 'Upstream projects, and which a workspace may select (header X-Service-Upstream-Project)', [
        listProjects(context),
        registerProject(context),
        bindProject(context),
        unbindProject(context),
        setDefaultProject(context),
      ]),
    )
    .addCommand(
      group('internal-projects', 'Projects of your own that keys are bound to (header X-Service-Project)', [
        listInternalProjects(context),
        setInternalProject(context),
        removeInternalProject(context),
      ]),
    );
  return settle(program, (command) =>
    command
      .exitOverride()
      .configureHelp({ showGlobalOptions: true })
      // The caller of the program prints errors, once and in one form; help goes to the stream that asked for it.
      .configureOutput({ writeOut: (help) => stdout.write(help), writeErr: (help) => stderr.write(help), outputError: () => undefined }),
  );
}

function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Commands that are added do not take over the settings of their parent. */
function settle(command: Command, apply: (command: Command) => Command): Command {
  for (const child of command.commands) settle(child, apply);
  return apply(command);
}
