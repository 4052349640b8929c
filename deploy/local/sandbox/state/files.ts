import { type StateChangeOf } from './state-changes.ts';

/** An uploaded file of an account: for its conversations, or in one of its projects. */
export type FileRecord = Omit<StateChangeOf<'file'>, 'type'>;

/** The records of uploaded files; their bytes are in the file store. */
export class Files {
  private readonly byId = new Map<string, FileRecord>();
  private readonly byAccount = new Map<string, Map<string, FileRecord>>();

  get(id: string): FileRecord | undefined {
    return this.byId.get(id);
  }

  /** Oldest first. */
  listByAccount(account: string): FileRecord[] {
    return [...(this.byAccount.get(account)?.values() ?? [])];
  }

  /** The files of a project, oldest first. */
  listByProject(account: string, project: string): FileRecord[] {
    return this.listByAccount(account).filter((file) => file.project === project);
  }

  ids(): ReadonlySet<string> {
    return new Set(this.byId.keys());
  }

  add({ type: _type, ...file }: StateChangeOf<'file'>): void {
    this.byId.set(file.id, file);
    const list = this.byAccount.get(file.account);
    if (list === undefined) this.byAccount.set(file.account, new Map([[file.id, file]]));
    else list.set(file.id, file);
  }

  remove(id: string): void {
    const file = this.byId.get(id);
    if (file === undefined) return;
    this.byId.delete(id);
    this.byAccount.get(file.account)?.delete(id);
  }

  removeByProject(project: string): void {
    for (const file of [...this.byId.values()]) if (file.project === project) this.remove(file.id);
  }
}
