/** An option of a provider, of those kinds that a form can ask for. */
export type ProviderOption = { name: string; description: string | undefined } & (
  | { kind: 'number'; isWhole: boolean; min: number | undefined; max: number | undefined }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'text' }
  | { kind: 'switch' }
);

/** Returns the options that the JSON Schema of a provider describes, without those that a form cannot ask for. */
export function toProviderOptions(schema: Record<string, unknown>): ProviderOption[] {
  return Object.entries(record(schema['properties'])).flatMap(([name, property]) => {
    const option = readOption(record(property));
    return option ? [{ name, description: textOf(record(property)['description']), ...option }] : [];
  });
}

function readOption(property: Record<string, unknown>) {
  const { type, enum: values } = property;
  if (Array.isArray(values)) return { kind: 'choice', values: values.filter((value) => typeof value === 'string') } as const;
  if (type === 'boolean') return { kind: 'switch' } as const;
  if (type === 'string') return { kind: 'text' } as const;
  if (type !== 'number' && type !== 'integer') return undefined;
  return { kind: 'number', isWhole: type === 'integer', min: numberOf(property['minimum']), max: numberOf(property['maximum']) } as const;
}

/** Converts what was entered to values of the provider's options, without the empty ones. */
export function toOptionValues(options: readonly ProviderOption[], entered: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap(({ name, kind }) => {
      const value = entered[name] ?? '';
      if (value === '') return [];
      return [[name, kind === 'number' ? Number(value) : kind === 'switch' ? value === 'true' : value]];
    }),
  );
}

/** Characters as the gateway counts them: one outside of the basic plane counts once. */
export function countCharacters(text: string): number {
  return [...text.trim()].length;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
