import { describe, expect, it } from '@jest/globals';
import { pickPassedParameters, requirePassedParameters } from './passed-parameters.ts';
import { SAMPLING_PARAMETERS } from './sampling-parameters.ts';

describe('pickPassedParameters', () => {
  it('passes what the connection is set to pass, and nothing else', () =>
    expect(pickPassedParameters(['temperature', 'seed'], '{"temperature":0.2,"top_p":1}')).toEqual({ temperature: 0.2 }));

  it('passes nothing by default', () => {
    expect(pickPassedParameters([], '{"temperature":0.2}')).toEqual({});
    expect(pickPassedParameters(['temperature'], '')).toEqual({});
  });
});

it('takes each name once', () => {
  expect(requirePassedParameters('chat', ['seed', 'stop', 'seed'])).toEqual(['seed', 'stop']);
  expect(requirePassedParameters('chat', SAMPLING_PARAMETERS)).toEqual(SAMPLING_PARAMETERS);
  expect(requirePassedParameters('speech', [])).toEqual([]);
});

it.each([
  ['chat', ['tools']],
  ['chat', ['Temperature']],
  ['chat', ['']],
  ['speech', ['temperature']],
])('refuses for %s %j', (purpose, names) => {
  expect(() => requirePassedParameters(purpose, names)).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param: 'pass' }));
});
