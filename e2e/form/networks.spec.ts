import { expect } from '@playwright/test'
import type { Page, Route } from '@playwright/test'
import { someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import type { CardPage } from '../pages/card-page.ts'
import { test, TOKEN } from '../pages/card-page.ts'

const TOKENS = '**/payment_sources/tokens'

/** Answers the first tries as given, lets the others through, and records the key and time of each. */
async function answerTries(page: Page, answers: readonly ((route: Route) => Promise<void>)[]) {
  const tries: { key: string; at: number }[] = []
  await page.route(TOKENS, async (route) => {
    const answer = answers[tries.length]
    tries.push({ key: route.request().headers()['idempotency-key'] ?? '', at: Date.now() })
    await (answer ? answer(route) : route.continue())
  })
  return tries
}

const failing = (route: Route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{}' })
const askingToWait = (seconds: number) => (route: Route) =>
  route.fulfill({ status: 429, headers: { 'retry-after': String(seconds) }, json: {} })
/** The service has made the token, but the answer gets lost. */
const lost = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}
const cut = async (route: Route) => {
  const answer = await (await route.fetch()).text()
  await route.fulfill({ status: 201, contentType: 'application/json', body: answer.slice(0, -20) })
}

const keysOf = (tries: readonly { key: string }[]) => new Set(tries.map(({ key }) => key))
const endings = async (card: CardPage) =>
  (await card.events()).filter(({ event }) => ['finish', 'systemError', 'validationError'].includes(event))

test.beforeEach(async ({ card }) => {
  await card.open()
  await card.form.fill(GOOD_CARD)
})

const ONCE = [
  ['a service that fails once', failing, 0],
  ['a service that asks to wait a second', askingToWait(1), 950],
  ['an answer that gets lost', lost, 0],
  ['an answer that is cut off', cut, 0],
] as const

for (const [what, answer, atLeast] of someOf(ONCE, 2)) {
  test(`${what} is asked again for the same token, and the shopper sees nothing of it`, async ({
    card,
    page,
  }) => {
    const tries = await answerTries(page, [answer])
    await card.form.submit.click()
    await expect(card.token).toHaveValue(TOKEN)
    expect(tries).toHaveLength(2)
    expect(keysOf(tries).size).toBe(1)
    expect((tries[1]?.at ?? 0) - (tries[0]?.at ?? 0)).toBeGreaterThanOrEqual(atLeast)
    expect((await endings(card)).map(({ event }) => event)).toEqual(['finish'])
    await expect(card.form.alert).toBeEmpty()
  })
}

const EVERY_TIME = [
  ['a service that keeps failing', [failing, failing, failing], 'system_error', 'Nothing was charged'],
  ['a service that asks for a long wait', [askingToWait(60)], 'rate_limited', 'Wait a minute'],
  ['a connection that keeps breaking', [lost, lost, lost], 'network_error', 'Check your connection'],
  ['answers that are all cut off', [cut, cut, cut], 'system_error', 'Nothing was charged'],
] as const

for (const [what, answers, code, words] of someOf(EVERY_TIME, 2)) {
  test(`${what} ends in one event and an error message; the next press asks for the same token`, async ({
    card,
    page,
  }) => {
    const tries = await answerTries(page, answers)
    await card.form.submit.click()
    await expect(card.form.alert).toContainText(words)
    expect(tries).toHaveLength(answers.length)
    expect(await endings(card)).toMatchObject([{ event: 'systemError', error: { code, retryable: true } }])
    await expect(card.form.number).toHaveValue('5111 1111 1111 1118')
    await expect(card.form.code).toHaveValue(GOOD_CARD.code)

    await card.form.submit.click()
    await expect(card.token).toHaveValue(TOKEN)
    expect(keysOf(tries).size).toBe(1)
    expect((await endings(card)).map(({ event }) => event)).toEqual(['systemError', 'finish'])
  })
}

test('the token of a lost answer is the one that the page gets', async ({ card, page }) => {
  let made = ''
  await answerTries(page, [
    async (route) => {
      made = await (await route.fetch()).text()
      await route.abort('connectionreset')
    },
  ])
  await card.form.submit.click()
  await expect(card.token).toHaveValue(TOKEN)
  expect(made).toContain(await card.token.inputValue())
})

test('a card that is changed after a fault is another request, with another key', async ({ card, page }) => {
  const tries = await answerTries(page, [askingToWait(60)])
  await card.form.submit.click()
  await expect(card.form.alert).not.toBeEmpty()
  await card.form.expiry.fill('02/2039')
  await card.form.submit.click()
  await expect(card.token).toHaveValue(TOKEN)
  expect(keysOf(tries).size).toBe(2)
})
