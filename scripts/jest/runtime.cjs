// Runs test files as Node runs any module. Jest's own runtime loads every module of a test file anew in a context of its own, which took more than
// half of the processor time of a run; here the files of a worker share what they import, and each has its own globals of jest (ADR 0066).
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: JestRuntime } = require('jest-runtime');

let globals;
/** Makes each import of a test file a module of its own. */
let imports = 0;

class NativeRuntime extends JestRuntime {
  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(file) {
    if (!globals) {
      register('./hooks.mjs', pathToFileURL(__filename));
      globals = await import('./globals.mjs');
    }
    globals.use(this.jestGlobals.cjsGlobals(file));
    await import(`${pathToFileURL(file).href}?import=${++imports}`);
  }
}

module.exports = { __esModule: true, default: NativeRuntime };
