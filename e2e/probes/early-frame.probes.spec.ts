import { test } from '@playwright/test'
import { PAGE_URL } from '../world/addresses.ts'
import { isLongForm, reportProbes, rowsOf } from './report.ts'
import type { Outcome } from './report.ts'
import { filesOf, pathOf } from './early-page.ts'
import { EARLY_PROBES, ELSEWHERE } from './tables/early-frame.ts'
import { serveMerchantPage } from '../world/merchant-page.ts'

for (const [row, table] of EARLY_PROBES)
  test(row, async ({ page }, info) => {
    test.setTimeout(300_000)
    const outcomes: Outcome[] = []
    for (const probe of rowsOf(table).filter(({ isSlow }) => isLongForm || isSlow !== true)) {
      const end = await serveMerchantPage({ files: filesOf(probe), headers: probe.headers ?? {} })
      await page.goto(PAGE_URL + pathOf(probe))
      if (probe.isLeft) {
        await page.evaluate('outcome()')
        await page.goto(ELSEWHERE)
        await page.goBack()
      }
      outcomes.push({ did: probe.did, expected: probe.expected, found: await page.evaluate('outcome()') })
      await end()
      for (const other of page.context().pages()) if (other !== page) await other.close()
    }
    reportProbes(info, row, outcomes)
  })
