import { templateTexts } from '../texts.ts'

/** A name of the schema in words: `title_h1` → "Title h1", unless it has words of its own. */
export function wordsFor(name: string): string {
  const known: Readonly<Record<string, string>> = templateTexts.places
  return known[name] ?? spelt(name)
}

/** A value of the schema in words, such as a card scheme or a language. */
export function optionWords(option: string): string {
  const known: Readonly<Record<string, string>> = templateTexts.options
  return known[option] ?? spelt(option)
}

/** What to write at a place; undefined where its name says it. */
export function hintFor(name: string): string | undefined {
  const known: Readonly<Record<string, string>> = templateTexts.hints
  return known[name]
}

function spelt(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
