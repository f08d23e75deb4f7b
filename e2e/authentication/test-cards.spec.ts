import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { isLong, someOf } from '../long-form.ts'
import { ChargeResource } from '../../src/contract/api/charges/charge-resource.ts'
import { DOCUMENTED_CARDS } from '../../src/service/domains/gateways/sandbox-bank/testing/documented-cards.ts'
import type {
  DocumentedCard,
  HolderDoes,
} from '../../src/service/domains/gateways/sandbox-bank/testing/documented-cards.ts'
import { Shop } from '../pages/shop.ts'
import { SERVICE_URL } from '../world/addresses.ts'
import { demoKeys } from '../world/merchant-page.ts'

/** `npm run e2e:all` pays with every card; each change with every fourth, as some banks let one wait. */
const TRIED = someOf(DOCUMENTED_CARDS, 4)

const Listed = v.object({ resource: v.object({ data: v.array(ChargeResource) }) })

/** The newest charge of a card that bears this name. */
async function chargeOf(name: string): Promise<ChargeResource | undefined> {
  const headers = { 'x-user-secret-key': demoKeys().secret_key }
  const answer = await fetch(`${SERVICE_URL}/v1/charges?limit=50`, { headers })
  const { data } = v.parse(Listed, await answer.json()).resource
  return data.find(({ customer }) => customer.payment_source.card_name === name)
}

const stepIn = (page: Page) => page.frameLocator('iframe[src*="/authentication?"]')
const bankIn = (page: Page) => stepIn(page).frameLocator('#bank')
const codeIn = (page: Page) => bankIn(page).getByLabel('Code')

async function giveCode(page: Page): Promise<void> {
  // A silent bank is left after ten seconds.
  await codeIn(page).fill('1234', { timeout: 20_000 })
  await codeIn(page).press('Enter')
}

const ACTS: Readonly<Record<HolderDoes, (page: Page) => Promise<void>>> = {
  'is not asked': () => Promise.resolve(),
  'gives the code': giveCode,
  async 'is wrong three times'(page) {
    for (const left of ['2 tries are left', 'One try is left', null]) {
      await giveCode(page)
      if (left !== null) await expect(bankIn(page).getByRole('alert')).toContainText(left)
    }
  },
  'approves in the app': (page) =>
    bankIn(page).getByRole('button', { name: 'Approve as the phone would' }).click(),
  waits: (page) => expect(bankIn(page).getByRole('timer')).toHaveText(/0:0[0-5]/),
  async 'gives up'(page) {
    const cancel = stepIn(page).getByRole('button', { name: 'Cancel payment' })
    await expect(cancel).toBeVisible()
    if (isLong)
      await expect(stepIn(page).getByText('Is there nothing to see here?')).toBeVisible({ timeout: 30_000 })
    await cancel.click()
    await stepIn(page).getByRole('button', { name: 'Yes, cancel payment' }).click()
  },
}

/** A bank's time and a lost page end after some seconds. */
const LATE = { timeout: 15_000 }

/** What the shop says at the end. */
const SAYS: Readonly<Record<DocumentedCard['status'], (page: Page) => Promise<void>>> = {
  async pending(page) {
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible(LATE)
    await expect(page.locator('#status')).toHaveText('held on your card')
  },
  failed: (page) =>
    expect(page.locator('#message')).toHaveText(
      'Your bank could not confirm that it is you, and nothing was charged. Try another card, or ask your bank.',
      LATE,
    ),
  not_authenticated: (page) =>
    expect(page.locator('#message')).toHaveText(
      'You did not confirm this payment with your bank, and nothing was charged. You can try again.',
      LATE,
    ),
}

for (const { number, holder, status, errorCode, brings } of TRIED)
  test(`the shop says, and the charge becomes, what the guide promises of ${number}: ${holder}`, async ({
    page,
  }) => {
    const name = `Grace ${crypto.randomUUID().slice(0, 8)}`
    await new Shop(page).pay({ number, name })
    await ACTS[holder](page)
    await SAYS[status](page)
    await expect(page.locator('dialog')).toHaveCount(0)
    const charge = await chargeOf(name)
    expect(charge).toMatchObject({ status, _3ds: brings })
    const sale = charge?.transactions.find(({ type }) => type === 'sale')
    expect(sale?.error_code ?? null).toBe(errorCode)
  })
