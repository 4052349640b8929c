import { type MockCommand, type MockReport } from './mock/protocol.ts';
import { MockServer } from './mock/server.ts';

// A process of its own: on the load's core, never inside a target, with the CPU it uses counted apart.
const mock = new MockServer();
process.on('message', (command: MockCommand) => {
  if (command === 'release') mock.release();
});
process.on('disconnect', () => process.exit(0));
const report: MockReport = { port: await mock.listen() };
process.send?.(report);
