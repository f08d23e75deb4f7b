import { fireEvent } from '@testing-library/preact'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LONGEST_NUMBER, schemeOf } from '../../card/scheme.ts'
import { passesLuhn } from '../../card/digits.ts'
import { openFrame } from '../testing/frame-page.ts'
import { field } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { readCardText } from './editing/card-text.ts'

type Step =
  | { kind: 'key' | 'paste' | 'compose'; from: number; to: number; text: string }
  | { kind: 'deleteContentBackward' | 'deleteContentForward'; from: number; to: number; text?: never }
  | { kind: 'render'; text: string }

const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${String(max)}}$`))
const place = { from: fc.nat({ max: 24 }), to: fc.nat({ max: 24 }) }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('key'), ...place, text: digits(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('paste'), ...place, text: digits(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compose'), ...place, text: digits(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('deleteContentBackward', 'deleteContentForward'),
      ...place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('render'), text: fc.string({ maxLength: 5 }) }) },
)

it('every digit of any edits, pastes, compositions and renderings stays, in its order', async () => {
  const page = await openFrame()
  const number = field('Card number')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      page.command({ command: 'clear' })
      await messagesDelivered()
      for (const one of steps) {
        const expected = expectedAfter(number.value, one)
        await doStep(page, number, one)
        expect(number.value.replace(/\D/g, '')).toBe(expected)
      }
    }),
    { numRuns: 60 },
  )
}, 30_000)

/** The digits that a person means to have after a step: they see and select digits, not the gaps between. */
function expectedAfter(value: string, one: Step): string {
  if (one.kind === 'render') return value.replace(/\D/g, '')
  const [from, to] = selectionIn(value, one)
  const left = value.slice(0, from).replace(/\D/g, '')
  const right = value.slice(to).replace(/\D/g, '')
  if (one.kind === 'deleteContentBackward') return from === to ? left.slice(0, -1) + right : left + right
  if (one.kind === 'deleteContentForward') return from === to ? left + right.slice(1) : left + right
  const { text = '' } = one
  const all = left + text + right
  if (one.kind !== 'key') return readCardText(text, 0)?.number ?? all
  return all.length > Math.max(longest(all), value.replace(/\D/g, '').length) ? left + right : all
}

function longest(all: string): number {
  const scheme = schemeOf(all)
  if (scheme?.name === 'visa' && passesLuhn(all.slice(0, 16))) return 16
  return Math.max(...(scheme?.lengths ?? [LONGEST_NUMBER]))
}

/** Does what browsers do: events, and the input's own change between them. */
async function doStep(
  page: Awaited<ReturnType<typeof openFrame>>,
  input: HTMLInputElement,
  one: Step,
): Promise<void> {
  if (one.kind === 'render') {
    page.command({
      command: 'set',
      settings: { labels: { card_name: one.text }, texts: { submit_button: one.text } },
    })
    await messagesDelivered()
    return
  }
  input.focus()
  const [from, to] = selectionIn(input.value, one)
  input.setSelectionRange(from, to)
  if (one.kind === 'compose') compose(page, input, one.text)
  else if (one.kind === 'key') change(input, 'insertText', one.text)
  else if (one.kind === 'paste') change(input, 'insertFromPaste', one.text)
  else erase(input, one.kind)
  if (one.kind === 'compose') await messagesDelivered()
}

function selectionIn(value: string, { from, to }: { from: number; to: number }): [number, number] {
  const [first, second] = [Math.min(from, to, value.length), Math.min(Math.max(from, to), value.length)]
  return [first, second]
}

function change(input: HTMLInputElement, inputType: string, data: string | null, isComposing = false): void {
  const event = { inputType, data, isComposing, bubbles: true }
  if (!fireEvent(input, new InputEvent('beforeinput', { ...event, cancelable: true }))) return
  replace(input, data ?? '', input.selectionStart ?? 0, input.selectionEnd ?? 0)
  fireEvent(input, new InputEvent('input', event))
}

/** The page changes the form in the middle of the composition. */
function compose(page: Awaited<ReturnType<typeof openFrame>>, input: HTMLInputElement, text: string): void {
  fireEvent.compositionStart(input)
  for (const letter of text) {
    change(input, 'insertCompositionText', letter, true)
    page.command({ command: 'set', settings: { texts: { submit_button: letter } } })
  }
  fireEvent.compositionEnd(input)
}

/** A browser extends an empty selection by the character beside it; at the text's end it says nothing. */
function erase(input: HTMLInputElement, inputType: string): void {
  const [start, end] = [input.selectionStart ?? 0, input.selectionEnd ?? 0]
  const event = { inputType, bubbles: true }
  fireEvent(input, new InputEvent('beforeinput', { ...event, cancelable: true }))
  const isBackward = inputType === 'deleteContentBackward'
  const from = start === end && isBackward ? start - 1 : start
  const to = start === end && !isBackward ? end + 1 : end
  if (from < 0 || to > input.value.length || from === to) return
  replace(input, '', from, to)
  fireEvent(input, new InputEvent('input', event))
}

/** Sets the caret, too: jsdom puts it at the end of some texts. */
function replace(input: HTMLInputElement, text: string, from: number, to: number): void {
  input.setRangeText(text, from, to)
  input.setSelectionRange(from + text.length, from + text.length)
}
