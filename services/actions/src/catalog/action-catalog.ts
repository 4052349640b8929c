import { type Workflow } from '../domain/workflow.ts';
import { currentVersion, findWorkflow } from '../store/actions.ts';
import { isMember } from '../store/cohort.ts';
import { type Database } from '../store/database.ts';

/** A version of an action that can be run. */
export interface PublishedVersion {
  version: number;
  workflow: Workflow;
}

/** Versions that are kept in memory; the one that was read longest ago makes room. */
const MAX_KEPT = 200;

/** What is published, as runs see it. Versions never change, so they are kept in memory once read. */
export class ActionCatalog {
  readonly #database: Database;
  readonly #kept = new Map<string, PublishedVersion>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** What a run that begins now runs; undefined for an action that is unknown or disabled. */
  async current(slug: string): Promise<PublishedVersion | undefined> {
    const version = await currentVersion(this.#database, slug);
    return version === undefined ? undefined : this.version(slug, version);
  }

  /** A version that a run has begun with, disabled or not. */
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
