/** What the mock process tells its parent, once. */
export interface MockReport {
  port: number;
}

/** What the parent may ask of the mock process: end every stream that is held open. */
export type MockCommand = 'release';
