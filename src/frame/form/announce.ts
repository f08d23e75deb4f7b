import type { FormState } from './form-state.ts'

/**
 * Lets screen readers say a text once, by the document's one live region; '' takes back what no longer holds. A live region
 * speaks only when its text changes: a space behind is a change that nobody hears.
 */
export function announce({ announcement }: Pick<FormState, 'announcement'>, text: string): void {
  announcement.value = text !== '' && text === announcement.peek() ? `${text}\u00a0` : text
}
