/** A sentence to hear a voice by, in its own language: these are not texts of the console. */
const SAMPLES: Readonly<Record<string, string>> = {
  en: 'The weather was warm, and the children played in the garden until the evening.',
  zh: '天气很暖和，孩子们在花园里一直玩到傍晚。',
  de: 'Das Wetter war warm, und die Kinder spielten bis zum Abend im Garten.',
  fr: 'Il faisait chaud, et les enfants ont joué dans le jardin jusqu’au soir.',
  es: 'Hacía calor, y los niños jugaron en el jardín hasta la noche.',
  it: 'Faceva caldo, e i bambini giocarono in giardino fino a sera.',
  pt: 'Fazia calor, e as crianças brincaram no jardim até à noite.',
  ja: '暖かい日だったので、子どもたちは夕方まで庭で遊んでいました。',
};

/** What a voice of `language` says; one of many languages speaks that of the reader. */
export function sampleText(language: string, readersLanguage: string): string {
  const [base = ''] = (language === 'mul' ? readersLanguage : language).toLowerCase().split('-');
  return SAMPLES[base] ?? SAMPLES['en'] ?? '';
}
