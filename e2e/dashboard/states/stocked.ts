import { test as anyTest } from '@playwright/test'
import { Dashboard } from '../../pages/dashboard.ts'
import { DASHBOARD_URL } from '../../world/addresses.ts'
import { addMerchant } from '../../world/merchants.ts'
import { join } from '../../world/people.ts'
import { stockedWorld } from '../../world/stocked-world.ts'
import type { Member, StockedWorld } from '../../world/stocked-world.ts'

interface OfEachTest {
  /** Opens the dashboard in a person's own browser; null: in one where nobody is signed in. */
  dashboardOf: (who: Member | null) => Promise<Dashboard>
  /** A merchant with something of everything. */
  full: StockedWorld
  /** The owner of a merchant that has done nothing yet. */
  newcomer: Member
}

// For all tests of a worker. Not worker fixtures, because each set of those takes another worker and browser.
let full: Promise<StockedWorld> | undefined
let newcomer: Promise<Member> | undefined

async function addNewcomer(): Promise<Member> {
  return join(await addMerchant('Dusk Lamps'), 'owner', 'Nora Newcomer')
}

/** A test that looks at the dashboard of a merchant who has everything, or nothing. */
export const test = anyTest.extend<OfEachTest>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures out of the pattern
  full: async ({}, use) => use(await (full ??= stockedWorld())),
  // oxlint-disable-next-line no-empty-pattern -- as above
  newcomer: async ({}, use) => use(await (newcomer ??= addNewcomer())),
  dashboardOf: async ({ browser }, use) => {
    const contexts: Awaited<ReturnType<typeof browser.newContext>>[] = []
    await use(async (who) => {
      const context = await browser.newContext({
        baseURL: DASHBOARD_URL,
        locale: 'en-AU',
        viewport: { width: 1280, height: 900 },
        ...(who && { storageState: who.state, extraHTTPHeaders: who.person.headers }),
      })
      contexts.push(context)
      return new Dashboard(await context.newPage())
    })
    for (const context of contexts) await context.close()
  },
})
