import { type Workflow } from '../domain/workflow.ts';
import { currentVersion, findWorkflow } from '../store/actions.ts';
import { isMember } from '../store/cohort.ts';
import { type Database } from '../store/database.ts';

/** A version of an action that can be run. */
export interface PublishedVersion {
  version: number;
  workflow: Workflow;
}

/** Maximum number of versions in memory; the version loaded longest ago is evicted. */
const MAX_KEPT = 200;

/** The published versions of actions. Versions never change, so they are cached in memory once read. */
export class ActionCatalog {
  readonly #database: Database;
  readonly #kept = new Map<string, PublishedVersion>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves with the current version of an action, which new runs execute; undefined when the action is unknown or disabled. */
  async current(slug: string): Promise<PublishedVersion | undefined> {
    const version = await currentVersion(this.#database, slug);
    return version === undefined ? undefined : this.version(slug, version);
  }

  /** Resolves with the version with which a run was started, even if the action is disabled now; undefined when it does not exist. */
  async version(slug: string, version: number): Promise<PublishedVersion | undefined> {
    const key = `${slug} ${version}`;
    const known = this.#kept.get(key);
    if (known) return known;
    const workflow = await findWorkflow(this.#database, slug, version);
    return workflow && this.#keep(key, { version, workflow });
  }

  /** Whether a workspace is in the beta cohort. */
  isMember(workspaceId: string): Promise<boolean> {
    return isMember(this.#database, workspaceId);
  }

  #keep(key: string, published: PublishedVersion): PublishedVersion {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, published);
    return published;
  }
}
