import { GatewayError } from '@parley/protos/errors';
import { type Workflow } from '../domain/workflow.ts';
import { type Database } from '../store/database.ts';

/** A version of an action that can be run. */
export interface Published {
  version: number;
  workflow: Workflow;
}

/** What is published, as runs see it. Versions never change, so they are kept in memory once read. */
export class Catalog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What a run that begins now runs; undefined for an action that is unknown or disabled. */
  async current(_slug: string): Promise<Published | undefined> {
    throw notYet(this.#database);
  }

  /** A version that a run has begun with, disabled or not. */
  async version(_slug: string, _version: number): Promise<Published | undefined> {
    throw notYet(this.#database);
  }

  /** Whether a workspace is in the beta cohort. */
  async isMember(_workspaceId: string): Promise<boolean> {
    throw notYet(this.#database);
  }
}

function notYet(_database: Database): GatewayError {
  return new GatewayError('NOT_IMPLEMENTED', 'the catalog is not available yet');
}
