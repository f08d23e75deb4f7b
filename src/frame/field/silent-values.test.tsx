import { fireEvent } from '@testing-library/preact'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LONGEST_NUMBER, schemeOf } from '../../card/scheme.ts'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { field, pay, person } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { LONGEST_TEXT } from './field-traits.ts'

const SENT = {
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expire_month: 1,
  expire_year: 2039,
  card_ccv: '100',
}
const NAME = 'Name on card'
const NUMBER = 'Card number'
const EXPIRY = 'Expiry date'
const CODE = 'Security code'
const CARD = { [NAME]: 'Grace Hopper', [NUMBER]: '5111111111111118', [EXPIRY]: '0139', [CODE]: '100' }

/** As a password manager does it that sends no event. */
function setSilently(values: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(values)) field(label).value = value
}

const shown = (labels: readonly string[] = [NAME, NUMBER, EXPIRY, CODE]) =>
  labels.map((label) => field(label).value)
const FORMATTED = ['Grace Hopper', '5111 1111 1111 1118', '01 / 39', '100']

describe('values that are set without an event', () => {
  it.each([
    ['a click on the button', () => pay()],
    ['Enter', () => person.type(field(NAME), '{Enter}')],
    [
      'submit()',
      async (page: Awaited<ReturnType<typeof openFrame>>) => {
        page.command({ command: 'submit' })
        await messagesDelivered()
      },
    ],
  ])('are sent whole on %s', async (_how, submit) => {
    const service = createService(answer(201))
    const page = await openFrame({ send: service.send, settles: false })
    await person.type(field(NAME), 'Grace Hopper')
    await person.type(field(EXPIRY), '0139')
    setSilently({ [NUMBER]: '5111111111111118', [CODE]: '100' })
    await submit(page)
    await messagesDelivered()
    expect(service.bodies).toMatchObject([SENT])
  })

  it('stay while another field is typed into', async () => {
    await openFrame()
    setSilently({ [CODE]: '100' })
    await person.type(field(NUMBER), '5')
    expect(shown([NUMBER, CODE])).toEqual(['5', '100'])
  })

  it.each([
    ['a label', { labels: { card_name: 'Your name' } }],
    ['another language', { language: 'de' }],
    ['other fields', { fields: [{ field: 'email', required: true }] }],
    ['icons', { card_icons: ['visa'], only_supported: true }],
    ['a placeholder', { placeholders: { card_number: '1234' } }],
    ['a value of another field', { values: { email: 'a@b.example' } }],
    ['styles', { styles: { button_color: 'red' }, theme: 'soft', color_scheme: 'dark' }],
    ['hidden elements', { hidden: ['submit_button'] }],
  ])('stay when the page sets %s', async (_what, settings) => {
    const words = JSON.stringify({ card_name: 'Name' })
    const page = await openFrame({ send: () => Promise.resolve(new Response(words)) })
    setSilently(CARD)
    const inputs = [NAME, NUMBER, EXPIRY, CODE].map((label) => field(label))
    page.command({ command: 'set', settings })
    await messagesDelivered()
    expect(inputs.map(({ value }) => value)).toEqual(FORMATTED)
  })

  it.each(['focus', 'blur'])('are read on %s, of whatever field', async (event) => {
    const page = await openFrame()
    setSilently({ [NUMBER]: '5111111111111118' })
    fireEvent(field(NAME), new FocusEvent(event))
    await messagesDelivered()
    expect(field(NUMBER).value).toBe('5111 1111 1111 1118')
    expect(page.named('metaChange').at(-1)).toMatchObject({ card_number_last4: '1118' })
  })

  it('are noticed by themselves within a second, so that the page knows of a valid form', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const page = await openFrame()
    setSilently(CARD)
    vi.advanceTimersByTime(1000)
    await messagesDelivered()
    expect(shown()).toEqual(FORMATTED)
    expect(page.named('validation').at(-1)).toMatchObject({ form_valid: true })
  })

  it('are noticed when only the value attribute is set', async () => {
    await openFrame()
    field(NUMBER).setAttribute('value', '5111111111111118')
    fireEvent.focus(field(NAME))
    expect(field(NUMBER).value).toBe('5111 1111 1111 1118')
  })

  it('of the field itself stay when it is typed into', async () => {
    await openFrame()
    await person.click(field(NUMBER))
    setSilently({ [NUMBER]: '51111' })
    await person.keyboard('2')
    expect(field(NUMBER).value).toBe('5111 12')
  })

  it('do not end a composition, and are not ended by one', async () => {
    const page = await openFrame()
    const name = field(NAME)
    fireEvent.compositionStart(name)
    name.value = 'やま'
    fireEvent(name, new InputEvent('input', { isComposing: true, bubbles: true }))
    name.value = 'やまだ'
    setSilently({ [CODE]: '100' })
    page.command({ command: 'set', settings: { labels: { card_name: NAME }, texts: { title: 'Card' } } })
    await messagesDelivered()
    expect(shown([NAME, CODE])).toEqual(['やまだ', '100'])
    fireEvent.compositionEnd(name)
    expect(shown([NAME, CODE])).toEqual(['やまだ', '100'])
  })

  it('are emptied by clear(), and none of them comes back', async () => {
    const page = await openFrame()
    setSilently(CARD)
    field(NUMBER).setAttribute('value', '4242')
    page.command({ command: 'clear' })
    await messagesDelivered()
    expect(shown()).toEqual(['', '', '', ''])
    expect(document.body.innerHTML).not.toContain('4242')
    await person.click(field(NUMBER))
    for (const key of ['z', 'y']) fireEvent.keyDown(field(NUMBER), { key, ctrlKey: true })
    page.command({ command: 'set', settings: { labels: { card_name: NAME } } })
    await messagesDelivered()
    expect(shown()).toEqual(['', '', '', ''])
  })
})

type Step =
  | { kind: 'silent' | 'attribute' | 'autofill' | 'key'; at: number; text: string }
  | { kind: 'focus' | 'blur' | 'animationstart'; at: number }
  | { kind: 'label' | 'title' | 'icons' | 'language' | 'submit'; text: string }
  | { kind: 'clear' }

const at = fc.nat({ max: 2 })
const digits = fc.stringMatching(/^[0-9]{1,4}$/)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('silent', 'autofill', 'attribute'), at, text: digits }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('key'), at, text: fc.stringMatching(/^[0-9]$/) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('focus', 'blur', 'animationstart'), at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('label', 'title', 'icons', 'language', 'submit'),
      text: digits,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear') }) },
)

/** Of texts of any digits, none is changed but by gaps. */
const LABELS = [NUMBER, CODE, 'Phone'] as const

it('no order of silent values, keys, events, settings, languages and clear() loses a letter', async () => {
  const words = JSON.stringify({ card_number: NUMBER, card_ccv: CODE, phone: 'Phone', card_name: NAME })
  const fields = [{ field: 'phone', required: false }] as const
  const page = await openFrame({
    settings: { fields: [...fields] },
    send: () => Promise.resolve(new Response(words)),
  })
  // clear() replaces them.
  const inputs = () => LABELS.map((label) => document.querySelector<HTMLInputElement>(`#${idOf(label)}`))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      page.command({ command: 'clear' })
      await messagesDelivered()
      const expected = ['', '', '']
      for (const one of steps) {
        const input = 'at' in one ? inputs()[one.at] : null
        if (one.kind === 'clear') expected.fill('')
        else if (input && 'at' in one && 'text' in one) expected[one.at] = afterText(expected, one)
        await doStep(page, input ?? null, one)
        expect(inputs().map((each) => each?.value.replace(/\D/g, ''))).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
}, 60_000)

const idOf = (label: string) => ({ [NUMBER]: 'card_number', [CODE]: 'card_ccv' })[label] ?? 'phone'

/** A full field takes no more keys. */
function afterText(texts: readonly string[], one: { kind: string; at: number; text: string }): string {
  if (one.kind !== 'key') return one.text
  const before = texts[one.at] ?? ''
  const after = before + one.text
  const lengths = [
    Math.max(...(schemeOf(after)?.lengths ?? [LONGEST_NUMBER])),
    schemeOf(texts[0] ?? '')?.codeLength ?? 4,
    LONGEST_TEXT,
  ]
  return after.length > (lengths[one.at] ?? 0) ? before : after
}

type Opened = Awaited<ReturnType<typeof openFrame>>

async function doStep(page: Opened, input: HTMLInputElement | null, one: Step): Promise<void> {
  if (input !== null && 'at' in one) {
    if ('text' in one) putText(input, one.kind, one.text)
    else turnTo(input, one.kind)
    return
  }
  if (one.kind === 'clear' || one.kind === 'submit') page.command({ command: one.kind })
  else if ('text' in one) page.command({ command: 'set', settings: settingsOf(one.kind, one.text) })
  await messagesDelivered()
}

function putText(input: HTMLInputElement, kind: string, text: string): void {
  if (kind === 'key') pressAtEnd(input, text)
  else if (kind === 'autofill') fireEvent.input(input, { target: { value: text } })
  else {
    // Browsers show the attribute only in an input that nobody has changed.
    if (kind === 'attribute') input.setAttribute('value', text)
    input.value = text
  }
}

function turnTo(input: HTMLInputElement, kind: string): void {
  if (kind === 'focus') input.focus()
  else if (kind === 'blur') input.blur()
  else fireEvent.animationStart(input)
}

function settingsOf(kind: string, text: string): object {
  if (kind === 'label') return { placeholders: { card_number: text, card_ccv: text } }
  if (kind === 'title') return { texts: { title: text } }
  if (kind === 'language') return { language: text.length > 2 ? 'de' : 'en' }
  return { card_icons: text.length > 2 ? ['visa'] : ['amex', 'visa'], only_supported: text.length > 1 }
}

function pressAtEnd(input: HTMLInputElement, text: string): void {
  input.focus()
  input.setSelectionRange(input.value.length, input.value.length)
  const event = { inputType: 'insertText', data: text, bubbles: true }
  if (!fireEvent(input, new InputEvent('beforeinput', { ...event, cancelable: true }))) return
  const end = input.value.length
  input.setRangeText(text, end, end)
  input.setSelectionRange(end + 1, end + 1)
  fireEvent(input, new InputEvent('input', event))
}
