import { expect } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { test } from '../pages/card-page.ts'
import type { CardPage } from '../pages/card-page.ts'
import { findingsOf } from '../pages/findings.ts'
import { GOOD_CARD } from '../pages/card-form.ts'

const FIELDS =
  "widget.setFormFields(['address_line1', 'address_country*', 'address_state', 'address_postcode*'])"

/** The parts of the address, as a person finds them. */
const partsOf = ({ form: { frame } }: CardPage) => ({
  country: frame.getByRole('combobox', { name: 'Country' }),
  postcode: frame.locator('#address_postcode'),
  list: frame.getByRole('listbox', { name: 'Country' }),
  options: frame.getByRole('option'),
  note: (field: string) => frame.locator(`#address_${field}-note`),
})

/** Where the frame ends, and what the page has below it. */
const heightsOf = (card: CardPage) =>
  card.ask<number[]>(
    "[document.querySelector('iframe').getBoundingClientRect().height, document.querySelector('form').getBoundingClientRect().top]",
  )

test('a country is searched for by keys, and postcode and state follow it', async ({ card }) => {
  await card.open({ script: FIELDS })
  const { country, postcode, list, options, note } = partsOf(card)
  await card.form.fill(GOOD_CARD)
  await country.focus()
  await expect(list).toBeHidden()
  await card.page.keyboard.type('unit')
  await expect(options.first()).toHaveText('United Arab Emirates')
  await expect(card.form.frame.getByRole('status')).toHaveText(/Matches: \d+\./)
  await card.page.keyboard.press('ArrowDown')
  await card.page.keyboard.press('ArrowDown')
  await card.page.keyboard.press('Enter')
  await expect(country).toHaveValue('United States')
  await expect(list).toBeHidden()
  await expect(card.form.frame.locator('label[for=address_postcode]')).toHaveText('ZIP code')
  await expect(postcode).toHaveAttribute('inputmode', 'numeric')
  await card.page.keyboard.press('Tab')
  await card.page.keyboard.type('XX')
  await card.page.keyboard.press('Tab')
  await card.page.keyboard.type('1000')
  await card.form.submit.focus()
  await expect(note('state')).toHaveText(
    'Check this: it doesn’t match the country (United States). For example: NY.',
  )
  await expect(note('postcode')).toHaveText(
    'Check this: it doesn’t match the country (United States). For example: 10001.',
  )
  await card.form.frame.locator('#address_state').fill('ny')
  await postcode.fill('10001-1234')
  await card.form.submit.click()
  await expect(card.token).not.toHaveValue('')
})

test(
  'the list opens inside the frame, which keeps its height, where there is more room',
  { tag: LONG },
  async ({ card }) => {
    await card.open({
      script:
        "widget.setFormFields(['address_country', 'card_number', 'expire_month', 'card_ccv', 'card_name', 'email'])",
    })
    const { country, list } = partsOf(card)
    const before = await heightsOf(card)
    await country.click()
    await expect(list).toBeVisible()
    const below = await list.boundingBox()
    const field = await country.boundingBox()
    expect(below?.y).toBeGreaterThan(field?.y ?? 0)
    expect(await heightsOf(card)).toEqual(before)
    await card.close()
    await card.open({
      script: "widget.setFormFields(['card_name', 'address_country']).hideElements(['submit_button'])",
    })
    const last = partsOf(card)
    const kept = await heightsOf(card)
    await last.country.click()
    await expect(last.list).toHaveClass('above')
    const above = await last.list.boundingBox()
    const frame = await card.page.locator('iframe').boundingBox()
    expect(above?.y).toBeGreaterThanOrEqual(frame?.y ?? Infinity)
    expect(await heightsOf(card)).toEqual(kept)
  },
)

test('a country is taken by a press, and one that is not there is said when the field is left', async ({
  card,
}) => {
  await card.open({ script: `${FIELDS}.setFormValues({ address_country: 'AU' })` })
  const { country, list, options, note } = partsOf(card)
  await expect(country).toHaveValue('Australia')
  await country.click()
  await expect(options.and(card.form.frame.locator('[aria-selected=true]'))).toBeInViewport()
  await options.filter({ hasText: 'Austria' }).click()
  await expect(country).toHaveValue('Austria')
  await expect(country).toBeFocused()
  await country.fill('Atlantis')
  await card.form.number.focus()
  await expect(list).toBeHidden()
  await expect(country).toHaveValue('Atlantis')
  await expect(note('country')).toHaveText('Choose a country from the list.')
})

test.describe('on a phone, enlarged four times', () => {
  test.use({ hasTouch: true, viewport: { width: 320, height: 256 } })

  test('a country is taken by touch, and by keys that bring it into view', async ({ card }) => {
    await card.open({ script: FIELDS, style: 'body { margin: 0 }' })
    const { country, list, options } = partsOf(card)
    await country.tap()
    await options.filter({ hasText: 'Belgium' }).tap()
    await expect(country).toHaveValue('Belgium')
    await expect(country).toBeFocused()
    await expect(list).toBeHidden()
    await country.press('ArrowDown')
    await country.press('End')
    await expect(options.last()).toBeInViewport({ ratio: 0.9 })
    await country.press('Enter')
    await expect(country).toHaveValue('Zimbabwe')
    expect(await card.ask<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
  })
})

const MEDIA = [{ forcedColors: 'active' }, { colorScheme: 'light' }, { colorScheme: 'dark' }] as const

for (const media of someOf(MEDIA, 3))
  test(`axe finds nothing while the list is open: ${Object.values(media).join()}`, async ({ card }) => {
    await card.page.emulateMedia(media)
    await card.page.setViewportSize({ width: 320, height: 800 })
    await card.open({ script: FIELDS })
    const { country, list } = partsOf(card)
    await country.pressSequentially('land')
    await expect(list).toBeVisible()
    expect(await findingsOf(card.page)).toEqual([])
  })
