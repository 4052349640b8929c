import { type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { type FilePart } from '../../../middleware/multipart-form.ts';
import { type AudioFields, readAudioFields, wantsTimes } from './audio-fields.ts';

/** Refuses a conversation that the caller may not see. */
type Authorise = (conversationId: string) => Promise<void>;

/** The audio of a form as the audio service takes it, with the fields of the form, which may stand before the file and behind it. */
export class AudioFrames {
  /** What the form says: all of it once the frames have ended. */
  fields: AudioFields;
  /** Why there are no more frames: a field at fault, or a form. */
  failure: unknown;
  readonly #file: FilePart;
  readonly #authorise: Authorise;

  private constructor(file: FilePart, fields: AudioFields, authorise: Authorise) {
    this.#file = file;
    this.fields = fields;
    this.#authorise = authorise;
  }

  /** Looks at the fields before the file, so that what they are refused with needs none of it. Throws as `readAudioFields` and `authorise` do. */
  static async open(file: FilePart, authorise: Authorise): Promise<AudioFrames> {
    const fields = readAudioFields(file.fields);
    if (fields.conversation_id !== undefined) await authorise(fields.conversation_id);
    return new AudioFrames(file, fields, authorise);
  }

  /** The head, the chunks, and another head where fields behind the file say more. */
  async *frames(): AsyncGenerator<TranscribeRequest> {
    try {
      yield this.#head();
      for await (const value of this.#file.chunks) yield { frame: { $case: 'chunk', value } };
      if (await this.#reread()) yield this.#head();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** True when the fields behind the file change what the service has received. */
  async #reread(): Promise<boolean> {
    const before = this.fields;
    const after = (this.fields = readAudioFields(this.#file.fields));
    const isLinked = after.conversation_id !== before.conversation_id;
    if (isLinked && after.conversation_id !== undefined) await this.#authorise(after.conversation_id);
    return isLinked || after.language !== before.language || wantsTimes(after) !== wantsTimes(before);
  }

  #head(): TranscribeRequest {
    const { language = '', conversation_id: conversationId = '' } = this.fields;
    const { fileName, declaredType } = this.#file;
    return { frame: { $case: 'head', value: { fileName, declaredType, language, conversationId, wantsTimes: wantsTimes(this.fields) } } };
  }
}
