import { numberVerdict } from './number.ts'

const digitRun = /\d(?:[ -]?\d){12,18}(?!\d)/g

/**
 * Whether a text holds what is a valid card number, with or without gaps: 13 to 19 digits of a known range that pass
 * the Luhn check. Such a text must not be kept where texts are kept.
 */
export function holdsCardNumber(text: string): boolean {
  const runs = text.match(digitRun) ?? []
  return runs.some((run) => numberVerdict(run.replace(/[ -]/g, '')) === 'valid')
}
