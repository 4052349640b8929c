import { type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { type FilePart } from '../../../middleware/multipart-form.ts';
import { type TranscriptionFields, parseTranscriptionFields, hasTimestamps } from './transcription-fields.ts';

/** Rejects when the caller may not read the conversation. */
type Authorise = (conversationId: string) => Promise<void>;

/** The requests that stream a form to the audio service. The form fields may come before and after the file. */
export class TranscribeRequestStream {
  /** The form fields; complete once the requests have ended. */
  fields: TranscriptionFields;
  /** The error that ended the requests: an invalid field, or the failure of the form. */
  failure: unknown;
  readonly #file: FilePart;
  readonly #authorise: Authorise;

  private constructor(file: FilePart, fields: TranscriptionFields, authorise: Authorise) {
    this.#file = file;
    this.fields = fields;
    this.#authorise = authorise;
  }

  /**
   * Validates the fields before the file, so that an invalid request is rejected without reading the file. Rejects as
   * `parseTranscriptionFields` throws, and as `authorise` rejects.
   */
  static async open(file: FilePart, authorise: Authorise): Promise<TranscribeRequestStream> {
    const fields = parseTranscriptionFields(file.fields);
    if (fields.conversation_id !== undefined) await authorise(fields.conversation_id);
    return new TranscribeRequestStream(file, fields, authorise);
  }

  /** Yields the head, the chunks, and a second head when fields after the file change it. */
  async *requests(): AsyncGenerator<TranscribeRequest> {
    try {
      yield this.#head();
      for await (const value of this.#file.chunks) yield { frame: { $case: 'chunk', value } };
      if (await this.#reread()) yield this.#head();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** Parses all fields again; true when those after the file change the head that was sent. */
  async #reread(): Promise<boolean> {
    const before = this.fields;
    const after = (this.fields = parseTranscriptionFields(this.#file.fields));
    const isLinked = after.conversation_id !== before.conversation_id;
    if (isLinked && after.conversation_id !== undefined) await this.#authorise(after.conversation_id);
    return isLinked || after.language !== before.language || hasTimestamps(after) !== hasTimestamps(before);
  }

  #head(): TranscribeRequest {
    const { language = '', conversation_id: conversationId = '' } = this.fields;
    const { fileName, declaredType } = this.#file;
    return {
      frame: { $case: 'head', value: { fileName, declaredType, language, conversationId, wantsTimes: hasTimestamps(this.fields) } },
    };
  }
}
