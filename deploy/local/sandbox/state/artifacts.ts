import { type EntryOf, type RecordedArtifact } from './entries.ts';

/** Something that a reply brought. Only how to make it is kept: its bytes are made whenever they are asked for. */
export interface Artifact extends RecordedArtifact {
  readonly account: string;
  readonly conversation: string;
  /** Epoch ms. */
  readonly at: number;
  /** How often its bytes left whole since the server started. */
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
  of(account: string): readonly Artifact[] {
    return this.byAccount.get(account) ?? [];
  }

  add(account: string, { conversation, artifacts = [], reply }: EntryOf<'turn'>): void {
    const list = this.byAccount.get(account) ?? [];
    for (const recorded of artifacts) {
      const artifact: Artifact = { ...recorded, account, conversation, at: reply.at, downloads: 0 };
      this.byId.set(artifact.id, artifact);
      list.push(artifact);
    }
    if (list.length > 0) this.byAccount.set(account, list);
  }
}
