import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/field.tsx';
import { type ProviderCapabilities, type SpeechProvider, type Voice } from '../queries/speech.ts';
import { SPEECH_FORMATS, type SpeechFormat } from './audio-format.ts';
import { OptionField } from './option-field.tsx';
import { countCharacters, type ProviderOption, toProviderOptions } from './provider-options.ts';
import { useLanguageName } from './use-language-name.ts';

/** The values of the form: the text to synthesize, and how. */
export interface SpeakFormValues {
  mode: 'now' | 'job';
  input: string;
  voice: string;
  format: SpeechFormat;
  /** Of speech at once. */
  speed: number;
  /** Of a job: what its provider takes, and what was entered. */
  options: readonly ProviderOption[];
  entered: Readonly<Record<string, string>>;
}

interface SpeakFormProps {
  providers: readonly SpeechProvider[];
  provider: string;
  onProvider: (name: string) => void;
  /** Undefined while they are read. */
  capabilities: ProviderCapabilities | undefined;
  voices: readonly Voice[] | undefined;
  startVoice: string | undefined;
  isBusy: boolean;
  onOrder: (order: SpeakFormValues) => void;
}

/** What may be spoken at once, in characters; jobs take more. */
const AT_ONCE = 4096;
const MODES = ['now', 'job'] as const;

const schemaOf = (jobBound: number) =>
  z
    .object({
      mode: z.enum(MODES),
      input: z.string().trim().min(1, 'empty'),
      voice: z.string(),
      format: z.enum(SPEECH_FORMATS),
      speed: z.coerce.number<string>().min(0.25, 'speed').max(4, 'speed'),
      options: z.record(z.string(), z.string()),
    })
    .refine(({ mode, input }) => countCharacters(input) <= (mode === 'now' ? AT_ONCE : jobBound), { path: ['input'], error: 'tooLong' });

/** The form for speech: text, voice, format, and the options of the provider. */
export function SpeakForm(props: SpeakFormProps) {
  const { providers, provider, onProvider, capabilities, voices = [], startVoice = '', isBusy, onOrder } = props;
  const { t } = useTranslation('audio');
  const format = useFormatter();
  const languageName = useLanguageName();
  const jobBound = capabilities?.max_input_characters ?? AT_ONCE;
  const { register, handleSubmit, control, setValue, formState } = useForm({
    resolver: zodResolver(schemaOf(jobBound)),
    defaultValues: { mode: 'now' as const, input: '', voice: startVoice, format: 'wav' as const, speed: '1', options: {} },
  });
  const [mode, input] = useWatch({ control, name: ['mode', 'input'] });
  const bound = mode === 'now' ? AT_ONCE : jobBound;
  const count = countCharacters(input);
  const options = toProviderOptions(capabilities?.provider_options ?? {});
  const formats = SPEECH_FORMATS.filter((name) => capabilities?.response_formats.includes(name) ?? true);
  const submit = handleSubmit(({ voice, options: entered, ...order }) => {
    // One that another provider had is not taken along.
    const known = voices.find(({ id }) => id === voice) ?? voices[0];
    if (known) onOrder({ ...order, voice: known.id, options, entered });
  });
  const { errors } = formState;
  const inputError = errors.input?.message === 'tooLong' ? t(mode === 'now' ? 'speak.tooLongNow' : 'speak.tooLong') : t('speak.empty');
  return (
    <Card>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <TextArea
          label={t('speak.text')}
          rows={7}
          hint={t('speak.count', { count, used: format.number(count), bound: format.number(bound) })}
          error={errors.input && inputError}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
          }}
          {...register('input')}
        />
        <fieldset>
          <legend className="mb-1 text-sm font-medium">{t('speak.mode')}</legend>
          <div className="flex flex-col gap-1">
            {MODES.map((name) => (
              <label key={name} className="flex items-start gap-2">
                <input type="radio" value={name} className="mt-1 size-4 accent-accent" {...register('mode')} />
                <span>
                  {t(`speak.modes.${name}`)}
                  <span className="block text-sm text-muted">
                    {t(`speak.modeHints.${name}`, { bound: format.number(name === 'now' ? AT_ONCE : jobBound) })}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t('speak.provider')}
            value={provider}
            onChange={({ target }) => {
              setValue('options', {});
              onProvider(target.value);
            }}
          >
            {providers.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label={t('speak.voice')} {...register('voice')}>
            {voices.map(({ id, name, dialect, gender }) => (
              <option key={id} value={id}>
                {t('speak.voiceOption', { name, language: languageName(dialect), gender: t(`genders.${gender}`) })}
              </option>
            ))}
          </SelectField>
          <SelectField label={t('speak.format')} hint={t('speak.formatHint')} {...register('format')}>
            {formats.map((name) => (
              <option key={name} value={name}>
                {t(`formats.${name}`)}
              </option>
            ))}
          </SelectField>
          {mode === 'now' && capabilities?.supports_speed !== false && (
            <TextField
              type="number"
              label={t('options.speed')}
              hint={t('options.hints.speed')}
              min={0.25}
              max={4}
              step={0.05}
              error={errors.speed && t('speak.speedError')}
              {...register('speed')}
            />
          )}
          {mode === 'job' &&
            options.map((option) => (
              <OptionField key={`${provider} ${option.name}`} option={option} inputProps={register(`options.${option.name}`)} />
            ))}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" isBusy={isBusy} disabled={voices.length === 0} aria-keyshortcuts="Control+Enter Meta+Enter">
            {t(mode === 'now' ? 'speak.now' : 'speak.queue')}
          </Button>
          <span className="text-sm text-muted">{t('speak.keys')}</span>
        </div>
      </form>
    </Card>
  );
}
