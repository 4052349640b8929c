import { describe, expect, it } from '@jest/globals';
import { renderExecutor } from '../src/steps/render.ts';
import { selectExecutor } from '../src/steps/select.ts';
import { BAD_PAYLOAD, failureOf, runStep } from './step-fixture.ts';

describe('transforms', () => {
  it('render what is filled in by now', async () => {
    await expect(runStep(renderExecutor(), { text: 'Hi {$inputs.name}' })).resolves.toEqual({
      statusCode: 200,
      headers: {},
      body: { text: 'Hi {$inputs.name}' },
    });
    await expect(failureOf(renderExecutor(), { text: 1 })).resolves.toEqual(BAD_PAYLOAD);
  });

  it('select what a JSONPath finds', async () => {
    const from = {
      tickets: [
        { id: 1, open: true },
        { id: 2, open: false },
        { id: 3, open: true },
      ],
    };
    await expect(runStep(selectExecutor(), { from, path: '$.tickets[?@.open == true].id' })).resolves.toMatchObject({
      body: { values: [1, 3], value: 1, count: 2 },
    });
    await expect(runStep(selectExecutor(), { from, path: '$.nothing' })).resolves.toMatchObject({
      body: { values: [], value: null, count: 0 },
    });
    await expect(failureOf(selectExecutor(), { from, path: 'tickets[' })).resolves.toEqual(BAD_PAYLOAD);
    await expect(failureOf(selectExecutor(), { from })).resolves.toEqual(BAD_PAYLOAD);
  });
});
