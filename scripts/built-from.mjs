import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What something is built from, so that it is not built again from the same. */
export class BuiltFrom {
  #stamp;
  #digest = createHash('sha256');

  /** `stamp`: a file beside what is built. */
  constructor(stamp) {
    this.#stamp = stamp;
  }

  text(text) {
    this.#digest.update(text);
    return this;
  }

  /** Files below `folder`, in a fixed order: those whose name ends with `ending`, outside of folders that are called as one of `without`. */
  files(folder, { ending = '', without = [] } = {}) {
    for (const path of filesOf(folder, without).filter((name) => name.endsWith(ending))) this.text(path).text(readFileSync(path));
    return this;
  }

  /** Builds unless that was done from the same and `isThere`; writes down what it was built from when it is done. */
  async unlessDone(build, isThere = true) {
    const now = this.#digest.digest('hex');
    if (isThere && existsSync(this.#stamp) && readFileSync(this.#stamp, 'utf8') === now) return;
    await build();
    writeFileSync(this.#stamp, now);
  }
}

function filesOf(folder, without) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !without.includes(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(join(folder, entry.name), without) : [join(folder, entry.name)]));
}
