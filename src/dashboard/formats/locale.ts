import { LANGUAGES } from '../../contract/page/widget-appearance.ts'

/** The first of a person's languages that numbers and dates can be written in, with its region; else Australian English. */
export function localeOf(languages: readonly string[]): string {
  const known: readonly string[] = LANGUAGES
  return languages.find((language) => known.includes(language.split('-')[0] ?? '')) ?? 'en-AU'
}
