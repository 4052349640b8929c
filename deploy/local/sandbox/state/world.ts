import { type Account } from '../options.ts';
import { Accounts } from './accounts.ts';
import { Conversations } from './conversations.ts';
import { type Entry } from './entries.ts';
import { Journal } from './journal.ts';

/** Everything the sandbox knows. It changes by entries only, so that reading the journal again gives the same world. */
export class World {
  readonly accounts = new Accounts();
  readonly conversations = new Conversations();
  private journal: Journal | undefined;

  /** The world of a data folder, or an empty one in memory. */
  static async open(dataDir?: string, onError: (error: unknown) => void = () => undefined): Promise<World> {
    const world = new World();
    if (dataDir === undefined) return world;
    world.journal = await Journal.open(dataDir, (entry) => world.replay(entry), onError);
    world.conversations.closeInterrupted();
    return world;
  }

  /** Makes a change and writes it down. */
  record(entry: Entry): void {
    this.apply(entry);
    this.journal?.append(entry);
  }

  /** Creates or replaces an account; one that is the same already leaves no trace. */
  putAccount(account: Account): void {
    const known = this.accounts.get(account.id)?.account;
    const same = known !== undefined && JSON.stringify(sorted(known)) === JSON.stringify(sorted(account));
    if (!same) this.record({ type: 'account', account });
  }

  close(): void {
    this.journal?.close();
    this.journal = undefined;
  }

  private replay(entry: Entry): void {
    try {
      this.apply(entry);
    } catch {
      // An entry whose base was lost with a damaged line: what can be kept is kept.
    }
  }

  private apply(entry: Entry): void {
    switch (entry.type) {
      case 'account':
        return this.accounts.put(entry);
      case 'session':
        return this.accounts.addSession(entry);
      case 'sessions_expired':
        return this.accounts.expireSessions(entry.account);
      case 'conversation':
        return this.conversations.create(entry);
      case 'turn':
        return this.conversations.addTurn(entry);
      case 'finish':
        return this.conversations.finish(entry);
      case 'message':
        return this.conversations.addMessage(entry);
      case 'edit':
        return this.conversations.edit(entry);
      case 'status':
        return this.conversations.setStatus(entry);
    }
  }
}

function sorted(account: Account): [string, unknown][] {
  return Object.entries(account).sort(([a], [b]) => (a < b ? -1 : 1));
}
