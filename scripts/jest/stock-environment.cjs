// Node with what test files leave behind put away.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment: NodeEnvironment } = require('jest-environment-node');

const enabled = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
if (enable)
  AsyncLocalStorage.prototype._enable = function track() {
    enabled.add(this);
    return enable.call(this);
  };

module.exports = class extends NodeEnvironment {
  async teardown() {
    await super.teardown();
    for (const storage of enabled) storage.disable();
    enabled.clear();
  }
};
