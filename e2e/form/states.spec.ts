import { expect } from '@playwright/test'
import type { Route, TestInfo } from '@playwright/test'
import { LONG, isLong, someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import type { CardPage } from '../pages/card-page.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { inspectInWidths, inspectState } from '../pages/inspect-state.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const TOKENS = '**/payment_sources/tokens'

const style = `body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: #fff; color: #1a1a1a }
  main { max-width: 26rem; margin: 0 auto; padding: 1rem }
  input { display: block; margin-top: 2rem; box-sizing: border-box; width: 100%; font: inherit }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #f2f2f2 } }`

const inspect = ({ page }: CardPage, info: TestInfo, state: string) =>
  inspectInWidths(page, info, state, isLong ? [1200, 320] : [page.viewportSize()?.width ?? 320])

type Answer = (route: Route) => Promise<void>

/** Holds back every request for a token until the test chooses the answer. */
async function holdTokens({ page }: CardPage): Promise<(answer: Answer) => void> {
  let tell: (answer: Answer) => void = () => undefined
  const told = new Promise<Answer>((resolve) => {
    tell = resolve
  })
  await page.route(TOKENS, async (route) => (await told)(route))
  return tell
}

const refusing = (route: Route) =>
  route.fulfill({
    status: 400,
    json: {
      status: 400,
      error: {
        code: 'validation_error',
        message: 'The card was refused.',
        details: [{ path: 'card_number', message: 'refused' }],
      },
      resource: { type: 'token', data: null },
    },
  })

const VIEWS = [
  ['dark', 320],
  ['light', 1200],
] as const

for (const [colorScheme, width] of someOf(VIEWS, 2)) {
  test.describe(() => {
    test.use({ colorScheme, viewport: { width, height: 900 } })

    test(`each state of the card form is accessible and fits its window in ${colorScheme}`, async ({
      card,
    }, info) => {
      const { form } = card
      await card.open({ style, script: "widget.setSupportedCardIcons(['visa', 'mastercard', 'amex'])" })
      await takesKeys(form.number)
      await inspect(card, info, '1-empty')

      await form.number.pressSequentially('5111 1111')
      await expect(form.frame.getByRole('img', { name: 'Mastercard' }).last()).toBeVisible()
      await inspect(card, info, '2-typing')

      await form.submit.click()
      await expect(form.number).toHaveAttribute('aria-invalid', 'true')
      await inspect(card, info, '3-errors')

      await form.number.fill('')
      await form.fill(GOOD_CARD)
      const answer = await holdTokens(card)
      await form.submit.click()
      await expect(form.submit).toHaveAttribute('aria-disabled', 'true')
      await inspect(card, info, '4-processing')

      answer(refusing)
      await expect(form.alert).not.toBeEmpty()
      await expect(form.number).toHaveAttribute('aria-invalid', 'true')
      await inspect(card, info, '5-refused')

      await form.number.fill('4242424242424242')
      await card.page.unroute(TOKENS)
      await card.page.context().setOffline(true)
      await form.submit.click()
      // The form tries three times before it says so: browsers are wrong at times.
      await expect(form.alert).toContainText('offline', { timeout: 20_000 })
      await inspect(card, info, '6-offline')

      await card.page.context().setOffline(false)
      await form.submit.click()
      await expect(card.token).toHaveValue(TOKEN)
      await inspect(card, info, '7-finished')
    })

    test(
      `a card form whose key is refused is accessible and fits its window in ${colorScheme}`,
      { tag: LONG },
      async ({ card }, info) => {
        await card.open({ style, key: 'pk_sandbox_wrong' })
        await expect(card.form.alert).not.toBeEmpty()
        await inspect(card, info, 'refused')
      },
    )
  })
}

const OTHER_VIEWS = [
  ['right to left', { viewport: { width: 320, height: 900 } }],
  [
    'in forced colours without motion',
    { contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } },
  ],
  // 200 % zoom leaves half the pixels of a small desktop.
  ['at twice the size', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
] as const

for (const [name, use] of someOf(OTHER_VIEWS, 3)) {
  test.describe(() => {
    test.use(use)

    test(`a card form with errors is accessible and fits its window ${name}`, async ({ card }, info) => {
      const script = name === 'right to left' ? "widget.setLanguage('ar')" : ''
      await card.open({ style, script })
      const number = card.form.frame.locator('[autocomplete="cc-number"]')
      await takesKeys(number)
      await number.pressSequentially('5111111111111119')
      await card.form.submit.click()
      await expect(number).toHaveAttribute('aria-invalid', 'true')
      await inspectState(card.page, info, 'errors')
    })
  })
}
