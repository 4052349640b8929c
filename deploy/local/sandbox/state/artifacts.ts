import { type StateChangeOf, type RecordedArtifact } from './state-changes.ts';

/** An artifact of a reply. Only its recipe is stored: its bytes are generated on each download. */
export interface Artifact extends RecordedArtifact {
  readonly account: string;
  readonly conversation: string;
  /** Epoch ms. */
  readonly at: number;
  /** Number of complete downloads since the server started. */
  downloads: number;
}

/** All artifacts, by id and by account. */
export class Artifacts {
  private readonly byId = new Map<string, Artifact>();
  private readonly byAccount = new Map<string, Artifact[]>();

  get(id: string): Artifact | undefined {
    return this.byId.get(id);
  }

  /** Oldest first. */
  listByAccount(account: string): readonly Artifact[] {
    return this.byAccount.get(account) ?? [];
  }

  add(account: string, { conversation, artifacts = [], reply }: StateChangeOf<'turn'>): void {
    const list = this.byAccount.get(account) ?? [];
    for (const recorded of artifacts) {
      const artifact: Artifact = { ...recorded, account, conversation, at: reply.at, downloads: 0 };
      this.byId.set(artifact.id, artifact);
      list.push(artifact);
    }
    if (list.length > 0) this.byAccount.set(account, list);
  }
}
