import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { type Page } from 'playwright-core';
import { readWav } from '../harness/audio.ts';
import { expectAccessible, expectToBecome, inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { type Account, makeTenant } from '../harness/tenant.ts';

const TEXT = 'The weather was warm, and the children played in the garden until the evening.';

/** In a page: a microphone that hears a tone. */
const HUM = `navigator.mediaDevices.getUserMedia = async () => {
  const audio = new AudioContext();
  const microphone = audio.createMediaStreamDestination();
  const tone = audio.createOscillator();
  tone.connect(microphone);
  tone.start();
  return microphone.stream;
}; undefined`;

describe('the audio screen of the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);
  const makeSpeaker = async () => {
    const { workspaceId, accounts } = await makeTenant(gateway, ['openai-speech', 'openai-transcription']);
    const [speech] = accounts as [Account];
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'member' } });
    return { workspaceId, speech, person };
  };
  const orderJob = async (page: Page) => {
    await page.getByRole('tab', { name: 'Speak' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill(TEXT);
    await page.getByRole('radio', { name: /As a job/ }).check();
    await page.getByRole('button', { name: 'Start job' }).click();
    return page.getByRole('region', { name: 'Speech job' });
  };

  it('gives a voice to hear, and speaks with it as a job until its player is there', async () => {
    const { workspaceId, person } = await makeSpeaker();
    const { page, go } = await open({ person });
    await go('/audio?tab=voices', workspaceId);
    await page.getByRole('button', { name: 'Hear Alloy' }).click();
    await page.getByLabel('Sample of Alloy').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Use Alloy' }).click();
    const job = await orderJob(page);
    await job.getByText('Completed').waitFor();
    const player = job.getByLabel('Speech of alloy', { exact: true });
    expect(await player.getAttribute('src')).toContain(`/content?workspace_id=${workspaceId}`);
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      job.getByRole('link', { name: 'Download the speech of alloy' }).click(),
    ]);
    expect(readWav(await readFile(await download.path())).seconds).toBeGreaterThan(1);
    await job.getByRole('link', { name: 'All speech jobs' }).click();
    await page.getByRole('row', { name: /alloy.*Completed/ }).waitFor();
    await expectAccessible(page);
  });

  it('cancels a job that runs, and repeats one that has failed', async () => {
    const { workspaceId, speech, person } = await makeSpeaker();
    await speech.order({ on: 'speech', fault: 'silent', count: -1 });
    const { page, go } = await open({ person });
    await go('/audio', workspaceId);
    const job = await orderJob(page);
    await job.getByText('Speaking').waitFor();
    await job.getByRole('button', { name: 'Cancel the job of alloy' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await job.getByText('Cancelled').waitFor();
    await speech.clearFaults();
    await speech.order({ on: 'speech', fault: 'session_expired', count: -1 });
    await orderJob(page);
    await job.getByText('Failed').waitFor();
    await page.getByRole('tab', { name: 'Jobs' }).click();
    await page.getByRole('button', { name: 'Repeat the job of alloy' }).click();
    await page.getByText('3 jobs').waitFor();
    await expectAccessible(page);
  });

  it('speaks at once, and writes down what it has spoken', async () => {
    const { workspaceId, person } = await makeSpeaker();
    const { page, go } = await open({ person });
    await go('/audio', workspaceId);
    await page.getByRole('textbox', { name: 'Text' }).fill('x'.repeat(4097));
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByText('This is too long to be spoken at once').waitFor();
    await page.getByRole('textbox', { name: 'Text' }).fill(TEXT);
    await page.keyboard.press('Control+Enter');
    const spoken = page.getByRole('region', { name: 'Spoken' });
    const [saved] = await Promise.all([page.waitForEvent('download'), spoken.getByRole('button', { name: 'Save' }).click()]);
    await page.getByRole('tab', { name: 'Transcribe' }).click();
    const buffer = await readFile(await saved.path());
    await page.getByLabel(/Drop a recording here/).setInputFiles({ name: saved.suggestedFilename(), mimeType: 'audio/wav', buffer });
    await page.getByRole('button', { name: 'Transcribe' }).click();
    const transcript = page.getByRole('region', { name: 'Transcript' });
    await transcript.getByText(TEXT).waitFor();
    await expectAccessible(page);
    await transcript.getByRole('button', { name: 'Copy Transcript' }).click();
    await expectToBecome(() => page.evaluate<string>('navigator.clipboard.readText()'), TEXT);
  });

  it('records by the microphone, after it has said what a browser refuses', async () => {
    const { workspaceId, person } = await makeSpeaker();
    const { page, go, context } = await open({ person });
    await context.grantPermissions(['microphone', 'clipboard-read', 'clipboard-write'], { origin: gateway().url });
    await go('/audio?tab=transcribe', workspaceId);
    await page.getByRole('button', { name: 'Record with the microphone' }).click();
    // The machine of a test has none.
    await page.getByRole('alert').getByText('No microphone was found').waitFor();
    await expectAccessible(page);
    // One that hums.
    await page.evaluate(HUM);
    await page.getByRole('button', { name: 'Record with the microphone' }).click();
    await page.getByRole('timer').getByText('0:01').waitFor();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByLabel('Listen to recording.webm').waitFor();
    // The sandbox hears only what it has spoken itself.
    await page.getByRole('button', { name: 'Transcribe' }).click();
    await page.getByRole('alert').getByText('transcription_provider_unavailable').waitFor();
  });

  it('says what to install where nothing transcribes, and lets viewers hear but not speak', async () => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'member' } });
    const { page, go } = await open({ person });
    const { json } = await person.call('GET', '/me/v1/capabilities', { headers: { 'x-service-workspace': workspaceId } });
    await go('/audio?tab=transcribe', workspaceId);
    // An engine on PATH is found whatever the configuration says.
    const { transcription } = (json as { capabilities: { audio: { transcription: { enabled: boolean } } } }).capabilities.audio;
    await page.getByRole('heading', { name: transcription.enabled ? 'Recording' : 'Nothing transcribes here yet' }).waitFor();
    await expectAccessible(page);
    const viewer = await open({
      person: await makePerson(gateway(), { roles: { [workspaceId]: 'viewer' } }),
      size: { width: 375, height: 812 },
    });
    await viewer.go('/audio', workspaceId);
    await viewer.page.getByRole('cell', { name: 'SLT', exact: true }).waitFor();
    await expectToBecome(() => viewer.page.getByRole('tab').allTextContents(), ['Voices', 'Jobs']);
    expect(await viewer.page.getByRole('button', { name: /^Hear/ }).count()).toBe(0);
  });
});
