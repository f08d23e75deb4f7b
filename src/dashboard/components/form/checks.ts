import { formTexts } from './texts.ts'

/** What is wrong with a text that is required; undefined for nothing. */
export function requiredFault(text: string): string | undefined {
  return text.trim() === '' ? formTexts.required : undefined
}

/** What is wrong with an e-mail address as far as a browser can know. */
export function emailFault(text: string): string | undefined {
  if (text.trim() === '') return formTexts.required
  return /^[^\s@]+@[^\s@]+$/.test(text.trim()) ? undefined : formTexts.email
}
