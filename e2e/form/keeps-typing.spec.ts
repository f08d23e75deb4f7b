import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import fc from 'fast-check'
import { LONG, isLong, someOf } from '../long-form.ts'
import type { CardPage } from '../pages/card-page.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { GOOD_CARD } from '../pages/card-form.ts'

const NUMBER = '5111111111111118'
const SHOWN = '5111 1111 1111 1118'

/** What a page, a device or a network may do while somebody types; each is done between two keys, and undone or done anew at the next. */
const HAPPENINGS: Readonly<Record<string, (card: CardPage, turn: number) => Promise<void>>> = {
  'styles and themes': (card, turn) =>
    card.act(
      `widget.setStyles({ button_color: 'rgb(${String(turn)}, 90, 90)' }).setTheme(['soft', 'plain', 'outline'][${String(turn % 3)}])`,
    ),
  languages: (card, turn) => card.act(`widget.setLanguage(['de', 'ar', 'en'][${String(turn % 3)}])`),
  'labels and texts': (card, turn) =>
    card.act(
      `widget.setFormLabels({ card_name: 'Name ${String(turn)}' }).setText('submit_button', 'Pay ${String(turn)}')`,
    ),
  'other fields': (card, turn) =>
    card.act(
      `widget.setFormFields(${turn % 2 === 0 ? "['email*', 'card_number', 'card_name']" : "['card_name', 'card_number', 'phone']"})`,
    ),
  'schemes and values': (card, turn) =>
    card.act(
      `widget.setSupportedCardIcons(['visa'], ${String(turn % 2 === 0)}).updateFormValue('card_name', 'Ada ${String(turn)}')`,
    ),
  'another amount': (card, turn) =>
    card.act(`widget.setTexts({ submit_button: 'Pay ${String(turn)}.00', title: 'Order ${String(turn)}' })`),
  'a dark device': (card, turn) => card.page.emulateMedia({ colorScheme: turn % 2 === 0 ? 'dark' : 'light' }),
  'a turned phone': (card, turn) =>
    card.page.setViewportSize(turn % 2 === 0 ? { width: 320, height: 640 } : { width: 640, height: 320 }),
  'a virtual keyboard': (card, turn) =>
    card.page.setViewportSize({ width: 390, height: turn % 2 === 0 ? 300 : 800 }),
  'a lost network': (card, turn) => card.page.context().setOffline(turn % 2 === 0),
}

for (const [what, happen] of someOf(Object.entries(HAPPENINGS), 3)) {
  test(`who types is left alone by ${what}`, async ({ card, page }) => {
    await card.open({ script: 'widget.setAutoAdvance(false)' })
    const number = card.form.frame.locator('#card_number')
    await number.focus()
    const said = card.form.frame.getByRole('status')
    for (const [turn, digit] of NUMBER.split('').entries()) {
      await page.keyboard.press(digit)
      await happen(card, turn)
      if (turn === 7) {
        await number.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4))
        await page.keyboard.press('9')
        await happen(card, turn)
        expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(6)
        await page.keyboard.press('Backspace')
        await page.keyboard.press('End')
      }
    }
    await expect(number).toHaveValue(SHOWN)
    await expect(number).toBeFocused()
    await expect(said).toHaveText('')
    await page.context().setOffline(false)
  })
}

test('a form that is hidden and shown again holds what was typed', { tag: LONG }, async ({ card, page }) => {
  await card.open()
  await card.form.number.pressSequentially('51111111')
  for (const hide of [
    'widget.hide()',
    'widget.hide(true)',
    "document.querySelector('#card').hidden = true",
  ]) {
    await card.act(hide)
    await card.act("document.querySelector('#card').hidden = false, widget.show()")
  }
  await card.form.number.focus()
  await page.keyboard.press('End')
  await page.keyboard.type('11111118')
  await expect(card.form.number).toHaveValue(SHOWN)
})

test(
  'values of all fields that are set without an event are sent, whatever is set meanwhile',
  { tag: LONG },
  async ({ card }) => {
    await card.open()
    const values = {
      card_name: 'Grace Hopper',
      card_number: NUMBER,
      expiry: '0139',
      card_ccv: GOOD_CARD.code,
    }
    await card.form.frame.locator('html').evaluate((html, given) => {
      for (const [id, value] of Object.entries(given)) {
        const input = html.querySelector<HTMLInputElement>(`#${id}`)
        if (input) input.value = value
      }
    }, values)
    await card.act("widget.setLanguage('de').setFormLabel('card_name', 'Name').setTheme('soft')")
    await expect(card.form.submit).toHaveText('Bezahlen')
    await card.form.submit.click()
    await expect(card.token).toHaveValue(TOKEN)
  },
)

test('a form that the page moves says that it was reset only if something was typed', async ({ card }) => {
  const loads = async () => (await card.events('afterLoad')).length
  const move = () => card.act("document.querySelector('main').prepend(document.querySelector('#card'))")
  await card.open()
  await card.form.number.focus()
  await expect.poll(() => card.events('focus')).toHaveLength(1)
  await move()
  await expect.poll(loads).toBe(2)
  await expect(card.form.alert).toBeEmpty()
  await card.form.name.fill('Ada')
  await expect.poll(async () => (await card.events('validation')).length).toBe(3)
  await move()
  await expect(card.form.alert).toHaveText('This form has been reset. Enter your card details again.')
  await expect(card.form.name).toHaveValue('')
})

const digits = fc.stringMatching(/^[0-9]{1,4}$/)
const field = fc.constantFrom('card_number', 'card_ccv', 'phone')
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('silent', 'event'), field, text: digits }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('keys'), field, text: digits }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('focus', 'blur'), field, text: fc.constant('') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('label', 'language', 'theme', 'submit'),
      field,
      text: digits,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear'), field, text: fc.constant('') }) },
)

async function setValue(input: Locator, text: string, isTold: boolean): Promise<void> {
  await input.evaluate((element: HTMLInputElement, value) => (element.value = value), text)
  if (isTold) await input.dispatchEvent('input', { bubbles: true })
}

test('no order of silent values, keys, events and settings loses a character', async ({ card, page }) => {
  test.setTimeout(120_000)
  await card.open({ script: "widget.setFormFields(['phone', 'card_number', 'card_name'])" })
  const input = (id: string) => card.form.frame.locator(`#${id}`)
  const settings: Readonly<Record<string, (text: string) => string>> = {
    label: (text) => `widget.setFormPlaceholders({ card_number: '${text}', phone: '${text}' })`,
    language: (text) => `widget.setLanguage('${text.length > 2 ? 'de' : 'en'}')`,
    theme: (text) => `widget.setTheme('${text.length > 2 ? 'soft' : 'plain'}')`,
    submit: () => "widget.trigger('submit_form')",
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      await card.act('widget.clear()')
      const expected: Record<string, string> = { card_number: '', card_ccv: '', phone: '' }
      const shown = () =>
        card.form.frame
          .locator('html')
          .evaluate((html) =>
            Object.fromEntries(
              ['card_number', 'card_ccv', 'phone'].map((id) => [
                id,
                html.querySelector<HTMLInputElement>(`#${id}`)?.value.replace(/\D/g, ''),
              ]),
            ),
          )
      await expect.poll(shown).toEqual(expected)
      /** Reaches the form some time after the call, and clears what stands there then: so nothing is entered until it has. */
      const clear = async () => {
        if (Object.values(expected).every((value) => value === '')) return
        for (const name of Object.keys(expected)) expected[name] = ''
        await card.act('widget.clear()')
        await expect.poll(shown).toEqual(expected)
      }
      for (const { kind, field: id, text } of steps) {
        if (kind === 'clear') await clear()
        else if (kind === 'silent' || kind === 'event') {
          expected[id] = text
          await setValue(input(id), text, kind === 'event')
        } else if (kind === 'keys') {
          // In the phone's field, which takes any number of digits.
          expected['phone'] = (expected['phone'] ?? '') + text
          await input('phone').focus()
          await page.keyboard.press('End')
          await page.keyboard.type(text)
        } else if (kind === 'focus') await input(id).focus()
        else if (kind === 'blur') await input(id).blur()
        else await card.act(settings[kind]?.(text) ?? '')
      }
      await expect.poll(shown).toEqual(expected)
    }),
    { numRuns: isLong ? 60 : 8 },
  )
})
