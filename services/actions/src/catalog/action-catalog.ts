import { type Workflow } from '../domain/workflow.ts';
import { findCurrentVersion, findWorkflow } from '../store/actions.ts';
import { isMember } from '../store/cohort.ts';
import { type Database } from '../store/database.ts';

/** A version of an action that can be run. */
export interface RunnableVersion {
  version: number;
  workflow: Workflow;
}

/** Maximum number of versions in memory; the version loaded longest ago is evicted. */
const MAX_KEPT = 200;

/** The published versions of actions. Versions never change, so they are cached in memory once read. */
export class ActionCatalog {
  readonly #database: Database;
  readonly #kept = new Map<string, RunnableVersion>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Finds the current version of an action, which new runs execute; undefined when the action is unknown or disabled. */
  async findCurrentVersion(slug: string): Promise<RunnableVersion | undefined> {
    const version = await findCurrentVersion(this.#database, slug);
    return version === undefined ? undefined : this.findVersion(slug, version);
  }

  /** Finds the version with which a run was started, even if the action is disabled now; undefined when it does not exist. */
  async findVersion(slug: string, version: number): Promise<RunnableVersion | undefined> {
    const key = `${slug} ${version}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const workflow = await findWorkflow(this.#database, slug, version);
    return workflow && this.#keep(key, { version, workflow });
  }

  /** Whether a workspace is in the beta cohort. */
  isCohortMember(workspaceId: string): Promise<boolean> {
    return isMember(this.#database, workspaceId);
  }

  #keep(key: string, published: RunnableVersion): RunnableVersion {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, published);
    return published;
  }
}
