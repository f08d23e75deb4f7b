import { TEXT_KEYS } from '../contract/widget-appearance.ts'
import type { Texts } from '../contract/widget-appearance.ts'
import type { Welcome } from '../contract/widget-channel.ts'

/** Texts of the form until the merchant sets others; a title is shown only when one is set. */
export const DEFAULT_TEXTS = {
  submit_button: 'Pay',
  submit_button_processing: 'Sending card details…',
  finish_text: 'Card details received',
} as const satisfies Texts

export type FormTexts = Texts & Record<keyof typeof DEFAULT_TEXTS, string>

/** The texts with some of them replaced; an empty one brings the default back. */
export function withTexts(texts: FormTexts, changes: Welcome['texts']): FormTexts {
  const changed = { ...texts }
  for (const key of TEXT_KEYS) {
    const text = changes[key]
    if (text !== undefined) Object.assign(changed, { [key]: text })
  }
  return {
    ...changed,
    submit_button: changed.submit_button || DEFAULT_TEXTS.submit_button,
    submit_button_processing: changed.submit_button_processing || DEFAULT_TEXTS.submit_button_processing,
    finish_text: changed.finish_text || DEFAULT_TEXTS.finish_text,
  }
}
