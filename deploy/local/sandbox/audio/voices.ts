/** The voices of flite. */
const FLITE = ['slt', 'rms', 'awb', 'kal16', 'kal'] as const;

export type FliteVoice = (typeof FLITE)[number];

/** OpenAI's voice names, mapped to voices of flite. */
const ALIASES: Readonly<Record<string, FliteVoice>> = {
  alloy: 'slt',
  ash: 'kal16',
  ballad: 'awb',
  coral: 'slt',
  echo: 'rms',
  fable: 'awb',
  nova: 'slt',
  onyx: 'rms',
  sage: 'slt',
  shimmer: 'slt',
  verse: 'kal16',
};

/** Returns the flite voice of a name; undefined for an unknown one. */
export function findFliteVoice(name: string): FliteVoice | undefined {
  return FLITE.find((voice) => voice === name) ?? (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);
}
