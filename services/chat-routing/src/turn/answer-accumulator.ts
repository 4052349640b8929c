import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type UpstreamArtifact } from '../providers/upstream-turn.ts';

/** Maximum characters of an answer's text; bounds the memory that an endless answer can use. */
const MAX_TEXT = 8 * 1024 * 1024;

/** Maximum characters of reasoning that are recorded; the rest is relayed but not recorded. */
const MAX_REASONING = 1024 * 1024;

/** Maximum artifacts of one answer. */
const MAX_ARTIFACTS = 32;
const NO_ARTIFACTS: readonly Artifact[] = [];

/** Accumulates the text, reasoning and artifacts that an upstream has sent for one turn so far. */
export class AnswerAccumulator {
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

  /** True when the text exceeds the limit of 8 Mi characters; the turn is then stopped. */
  get isTooLong(): boolean {
    return this.#text.length > MAX_TEXT;
  }

  /** Appends texts and returns their total length in characters. */
  appendText(texts: readonly string[]): number {
    let weight = 0;
    for (const text of texts) {
      this.#text += text;
      weight += text.length;
    }
    return weight;
  }

  /** Appends reasoning up to the recorded limit; returns the total length of the given texts in characters, including what is cut off. */
  appendReasoning(texts: readonly string[]): number {
    let weight = 0;
    for (const text of texts) weight += text.length;
    if (this.#reasoning.length < MAX_REASONING) this.#reasoning += texts.join('').slice(0, MAX_REASONING - this.#reasoning.length);
    return weight;
  }

  /** Adds an artifact under a new asset id and returns it; undefined when the answer has reached its maximum of artifacts. */
  addArtifact({ kind, name, mimeType, reference }: UpstreamArtifact, connectionId: string): Artifact | undefined {
    if (this.#artifacts.length >= MAX_ARTIFACTS) return undefined;
    const artifact = { assetId: uuidv7(), assetType: kind, fileName: name, mimeType, connectionId, reference };
    this.#artifacts = [...this.#artifacts, artifact];
    return artifact;
  }
}
