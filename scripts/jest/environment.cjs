// The environment of `runtime.cjs`: test files and jest itself have the global object of the process, so that an Error is the same class for both.
const vm = require('node:vm');
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const shared = new WeakSet();
const { compileFunction } = vm;

// Jest compiles its own modules in the context of the environment; without one they are compiled in that of the process.
vm.compileFunction = (code, names, { parsingContext, ...options } = {}) =>
  compileFunction(code, names, shared.has(parsingContext) ? options : { parsingContext, ...options });

const enabled = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable)
  AsyncLocalStorage.prototype._enable = function track() {
    enabled.add(this);
    return enable.call(this);
  };

module.exports = class SharedEnvironment extends NodeEnvironment {
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #env = { ...process.env };
  #exit = process.exit;

  constructor(config, context) {
    super(config, context);
    shared.add(this.context);
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: globalThis });
  }

  /** What a test file has changed of the process must not reach the next one. */
  async teardown() {
    await super.teardown();
    for (const storage of enabled) storage.disable();
    enabled.clear();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
    // What is new stays: modules that the files share have put it there.
    Object.defineProperties(globalThis, this.#globals);
  }
};
