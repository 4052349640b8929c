import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type UpstreamArtifact } from '../providers/upstream-turn.ts';

/** Characters that an answer may have, so that an endless one does not fill the memory. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Characters of reasoning that are recorded; more is relayed and not recorded. */
const MAX_REASONING = 1024 * 1024;

/** Artifacts of one answer; a message can show fewer. */
const MAX_ARTIFACTS = 32;
const NO_ARTIFACTS: readonly Artifact[] = [];

/** What an upstream has answered so far. */
export class Answer {
  #text = '';
  #reasoning = '';
  #artifacts = NO_ARTIFACTS;

  get text(): string {
    return this.#text;
  }

  get reasoning(): string {
    return this.#reasoning;
  }

  get artifacts(): readonly Artifact[] {
    return this.#artifacts;
  }

  /** True when the text is longer than an answer may be. */
  get isTooLong(): boolean {
    return this.#text.length > MAX_TEXT;
  }

  /** Appends texts and returns their characters. */
  appendText(texts: readonly string[]): number {
    let weight = 0;
    for (const text of texts) {
      this.#text += text;
      weight += text.length;
    }
    return weight;
  }

  /** Appends reasoning, as far as it is recorded, and returns the characters of all of it. */
  appendReasoning(texts: readonly string[]): number {
    let weight = 0;
    for (const text of texts) weight += text.length;
    if (this.#reasoning.length < MAX_REASONING) this.#reasoning += texts.join('').slice(0, MAX_REASONING - this.#reasoning.length);
    return weight;
  }

  /** Adds what the upstream of a connection made; undefined when the answer holds enough of it. */
  addArtifact({ kind, name, mimeType, reference }: UpstreamArtifact, connectionId: string): Artifact | undefined {
    if (this.#artifacts.length >= MAX_ARTIFACTS) return undefined;
    const artifact = { assetId: uuidv7(), assetType: kind, fileName: name, mimeType, connectionId, reference };
    this.#artifacts = [...this.#artifacts, artifact];
    return artifact;
  }
}
