/** Where the bytes of uploaded files are. */
export interface FileStore {
  /**
   * Keeps bytes under an id and answers how many there were; nothing is kept of bytes that end early.
   * @throws SandboxError 413 `request_too_large` over `limit`, 507 `storage_full`
   */
  put(id: string, chunks: AsyncIterable<Uint8Array>, limit: number): Promise<number>;
  /** Undefined where there is nothing. */
  read(id: string): Promise<Buffer | undefined>;
  /** One that is gone already is no error. */
  remove(id: string): Promise<void>;
}
