import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { engineProcesses, SEES_PROCESSES, UNSEEN } from './engine-processes.ts';
import { type TestFixture, newCaller, openFixture, request } from './fixture.ts';

let fixture: TestFixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

(SEES_PROCESSES ? it : it.skip)(`a cancelled job takes no CPU: its engine is gone${UNSEEN}`, async () => {
  // Test files that ran before in this process may have left some that are on their way out.
  const others = await engineProcesses();
  const service = await fixture.start({ workers: 1 });
  const caller = newCaller();
  const { id } = await service.stub.createJob(request({ input: 'One sentence of some length. '.repeat(340) }), { caller });
  const engine = await waitFor(async () => (await engineProcesses()).find((one) => !others.includes(one)));
  // Between two parts of the text an engine has nothing to do; a frozen one is not done with its part.
  process.kill(Number(engine), 'SIGSTOP');
  await service.stub.cancelJob({ id }, { caller });
  await waitFor(async () => !(await engineProcesses()).includes(engine));
  await expect(service.stub.getJob({ id }, { caller })).resolves.toMatchObject({ status: 'cancelled' });
});
