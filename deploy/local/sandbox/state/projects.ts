import { type StateChangeOf, type MemoryPolicy } from './state-changes.ts';

/** A project of one account. */
export interface Project {
  readonly id: string;
  readonly account: string;
  name: string;
  instructions: string;
  readonly memoryPolicy: MemoryPolicy;
  /** Epoch ms. */
  readonly at: number;
}

/** The projects that exist. */
export class Projects {
  private readonly byId = new Map<string, Project>();

  get(id: string): Project | undefined {
    return this.byId.get(id);
  }

  /** Oldest first. */
  listByAccount(account: string): Project[] {
    return [...this.byId.values()].filter((project) => project.account === account);
  }

  create(entry: StateChangeOf<'project'>): void {
    const { id, account, name, instructions, memory_policy: memoryPolicy, at } = entry;
    this.byId.set(id, { id, account, name, instructions, memoryPolicy, at });
  }

  change(entry: StateChangeOf<'project_changed'>): void {
    const project = this.byId.get(entry.project);
    if (project === undefined) return;
    project.name = entry.name;
    project.instructions = entry.instructions;
  }

  remove(entry: StateChangeOf<'project_removed'>): void {
    this.byId.delete(entry.project);
  }
}
