import { type Account } from '../options.ts';
import { Accounts } from './accounts.ts';
import { Artifacts } from './artifacts.ts';
import { Conversations } from './conversations.ts';
import { Files } from './files.ts';
import { Memories } from './memories.ts';
import { Projects } from './projects.ts';
import { SandboxLog } from './sandbox-log.ts';
import { Speeches } from './speeches.ts';
import { type StateChange, type StateChangeOf } from './state-changes.ts';
import { Tickets } from './tickets.ts';

/** The state of the sandbox. Only recorded state changes modify it, so that replaying the log results in the same state. */
export class SandboxState {
  readonly accounts = new Accounts();
  readonly conversations = new Conversations();
  readonly projects = new Projects();
  readonly files = new Files();
  readonly artifacts = new Artifacts();
  readonly memories = new Memories();
  readonly speeches = new Speeches();
  readonly tickets = new Tickets();
  private sandboxLog: SandboxLog | undefined;

  /** Opens the state of a data folder, or an empty one in memory. */
  static async open(dataDir?: string, onError: (error: unknown) => void = () => undefined): Promise<SandboxState> {
    const sandboxState = new SandboxState();
    if (dataDir === undefined) return sandboxState;
    sandboxState.sandboxLog = await SandboxLog.open(dataDir, (entry) => sandboxState.replay(entry), onError);
    sandboxState.conversations.markInterruptedReplies();
    return sandboxState;
  }

  /** Applies a change and appends it to the log. */
  record(entry: StateChange): void {
    this.apply(entry);
    this.sandboxLog?.append(entry);
  }

  /** Creates or replaces an account; does nothing when it is unchanged. */
  putAccount(account: Account): void {
    const known = this.accounts.get(account.id)?.account;
    const same = known !== undefined && JSON.stringify(sorted(known)) === JSON.stringify(sorted(account));
    if (!same) this.record({ type: 'account', account });
  }

  close(): void {
    this.sandboxLog?.close();
    this.sandboxLog = undefined;
  }

  private replay(entry: StateChange): void {
    try {
      this.apply(entry);
    } catch {
      // A state change that refers to a damaged line is skipped.
    }
  }

  private apply(entry: StateChange): void {
    switch (entry.type) {
      case 'account':
        return this.accounts.put(entry);
      case 'session':
        return this.accounts.addSession(entry);
      case 'sessions_expired':
        return this.accounts.expireSessions(entry.account);
      case 'session_ended':
        return this.accounts.endSession(entry.token);
      case 'conversation':
        return this.conversations.create(entry);
      case 'turn':
        return this.addTurn(entry);
      case 'finish':
        return this.conversations.finish(entry);
      case 'message':
        this.conversations.addMessage(entry);
        return this.memories.add(entry.conversation, [entry.message], this.conversations);
      case 'edit':
        this.conversations.edit(entry);
        return this.memories.addEditedMessage(entry.conversation, entry.message, this.conversations);
      case 'status':
        return this.conversations.setStatus(entry);
      case 'project':
        return this.projects.create(entry);
      case 'project_changed':
        return this.projects.change(entry);
      case 'project_removed':
        this.files.removeByProject(entry.project);
        return this.projects.remove(entry);
      case 'file':
        return this.files.add(entry);
      case 'file_removed':
        return this.files.remove(entry.file);
      case 'ticket':
        return this.tickets.create(entry);
      case 'ticket_changed':
        return this.tickets.change(entry);
      case 'spoken':
        return this.speeches.add(entry);
    }
  }

  private addTurn(entry: StateChangeOf<'turn'>): void {
    this.conversations.addTurn(entry);
    this.memories.add(entry.conversation, entry.messages, this.conversations);
    const account = this.conversations.get(entry.conversation)?.account;
    if (account !== undefined) this.artifacts.add(account, entry);
  }
}

function sorted(account: Account): [string, unknown][] {
  return Object.entries(account).sort(([a], [b]) => (a < b ? -1 : 1));
}
