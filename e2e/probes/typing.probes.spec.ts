import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/card-page.ts'
import { FILLED, FILLS } from './tables/autofill.ts'
import { AT_ONE_GO } from './tables/at-one-go.ts'
import { CODE_DICTATIONS, CODE_KEYS, NAMES } from './tables/code-and-name.ts'
import { EXPIRY_DICTATIONS, EXPIRY_KEYS, EXPIRY_PASTES } from './tables/expiry.ts'
import { NUMBER_DICTATIONS, NUMBER_KEYS, NUMBER_PASTES, UNDOS } from './tables/number.ts'
import type { CardField, KeyProbe, PasteProbe } from './tables/probe.ts'
import { reportProbes, rowsOf } from './report.ts'
import type { Outcome } from './report.ts'
import { Typist } from './typist.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const KEYS: readonly (readonly [row: string, field: CardField, probes: readonly KeyProbe[]])[] = [
  ['number: keys', 'card_number', NUMBER_KEYS],
  ['number: undo and redo', 'card_number', UNDOS],
  ['expiry: keys', 'expiry', EXPIRY_KEYS],
  ['code', 'card_ccv', CODE_KEYS],
  ['name', 'card_name', NAMES],
]
const PASTES: readonly (readonly [row: string, field: CardField, probes: readonly PasteProbe[]])[] = [
  ['number: pasted', 'card_number', NUMBER_PASTES],
  ['expiry: pasted', 'expiry', EXPIRY_PASTES],
]
const DICTATIONS: readonly (readonly [field: CardField, probes: readonly PasteProbe[]])[] = [
  ['card_number', NUMBER_DICTATIONS],
  ['expiry', EXPIRY_DICTATIONS],
  ['card_ccv', CODE_DICTATIONS],
]

/** Does probes one after another, as they share one form. */
async function inTurn<Probe>(probes: readonly Probe[], probe: (one: Probe) => Promise<Outcome>) {
  const outcomes: Outcome[] = []
  for (const one of rowsOf(probes)) outcomes.push(await probe(one))
  return outcomes
}

test.describe('what people type, paste, dictate and let be filled in is what they mean', () => {
  test.slow()
  test.beforeEach(async ({ card }) => {
    // What is typed stays in the field under test.
    await card.open({
      script: 'widget.setAutoAdvance(false)',
      form: '<textarea id="clipboard"></textarea><form><input name="payment_source"></form>',
    })
    await takesKeys(card.form.number)
  })

  test('keys', async ({ card, page }, info) => {
    const typist = new Typist(page, card.form)
    for (const [row, field, probes] of KEYS)
      reportProbes(info, row, await inTurn(probes, (probe) => typist.type(field, probe)))
  })

  test('pastes and dictations', async ({ card, page }, info) => {
    const typist = new Typist(page, card.form)
    for (const [row, field, probes] of PASTES)
      reportProbes(info, row, await inTurn(probes, (probe) => typist.paste(field, probe)))
    for (const [field, probes] of DICTATIONS)
      reportProbes(info, 'dictation', await inTurn(probes, (probe) => typist.dictate(field, probe)))
  })

  test('a card typed at one go', async ({ card, page }, info) => {
    await card.act('widget.setAutoAdvance()')
    const typist = new Typist(page, card.form)
    const probes = await inTurn(AT_ONE_GO, (probe) => typist.typeOn(probe))
    reportProbes(info, 'a card at one go', probes)
  })

  test('autofill, and the four fields in all orders', async ({ card, page }, info) => {
    const typist = new Typist(page, card.form)
    for (const [way, events] of Object.entries(FILLS))
      reportProbes(info, 'autofill', await inTurn(FILLED, (probe) => typist.fillIn(probe, way, events)))
    const fields = ['name', 'number', 'expiry', 'code'] as const
    const outcomes = await inTurn(ordersOf(fields), async (order) => {
      await typist.clear('card_name')
      for (const field of order) {
        await card.form[field].focus()
        await page.keyboard.type(GOOD_CARD[field])
      }
      const found = await page.waitForFunction('widget.isValidForm()', null, { timeout: 3000 }).then(
        () => true,
        () => false,
      )
      await page
        .frames()[1]
        ?.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      return { did: order.join(), expected: true, found }
    })
    reportProbes(info, 'four fields in all orders', outcomes)
  })
})

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item) =>
    ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  )
}
