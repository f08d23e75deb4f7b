import type { Texts } from '../contract/widget-appearance.ts'
import type { Welcome } from '../contract/widget-channel.ts'

/** Texts of the form until the merchant sets others; a title is shown only when one is set. */
export const DEFAULT_TEXTS = {
  submit_button: 'Pay',
  submit_button_processing: 'Sending card details…',
  finish_text: 'Card details received',
} as const satisfies Texts

export type FormTexts = Welcome['texts'] & Record<keyof typeof DEFAULT_TEXTS, string>

/** The texts with some of them replaced. */
export function withTexts(texts: FormTexts, changes: Welcome['texts']): FormTexts {
  return {
    ...texts,
    ...changes,
    submit_button: changes.submit_button ?? texts.submit_button,
    submit_button_processing: changes.submit_button_processing ?? texts.submit_button_processing,
    finish_text: changes.finish_text ?? texts.finish_text,
  }
}
