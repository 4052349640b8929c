/** Stores the bytes of uploaded files. */
export interface FileStore {
  /**
   * Stores bytes under an id and resolves with their number; stores nothing when the stream fails.
   * @throws SandboxError 413 `request_too_large` over `limit`, 507 `storage_full`
   */
  put(id: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<number>;
  /** Resolves with the bytes; undefined for an unknown id. */
  read(id: string): Promise<Buffer | undefined>;
  /** Deletes the bytes, if they exist. */
  remove(id: string): Promise<void>;
}
