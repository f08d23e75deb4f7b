import { screen } from '@testing-library/preact'
import { userEvent } from '@testing-library/user-event'
import { messagesDelivered } from './welcome.ts'

export const person = userEvent.setup()

/** The input that a label names. */
export const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

/** The button that submits, which is the last one. */
export const button = () => {
  const submit = screen.getAllByRole<HTMLButtonElement>('button').at(-1)
  if (submit === undefined) throw new Error('no button')
  return submit
}

/** What stands under a field and describes it. */
export function words(label: string): string {
  const note = field(label).getAttribute('aria-describedby') ?? ''
  return document.getElementById(note)?.textContent ?? ''
}

/** Fills the whole form with a card that is right. */
export async function typeCard(): Promise<void> {
  await person.type(field('Name on card'), 'Grace Hopper')
  await person.type(field('Card number'), '5111111111111118')
  await person.type(field('Expiry date'), '0139')
  await person.type(field('Security code'), '100')
}

/** Presses the form's button and waits for the answer. */
export async function pay(): Promise<void> {
  await person.click(button())
  await messagesDelivered()
}
