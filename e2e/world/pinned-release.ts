import { readdirSync, readFileSync } from 'node:fs'
import { test as anyTest } from '@playwright/test'
import * as v from 'valibot'

const { version } = v.parse(
  v.object({ version: v.string() }),
  JSON.parse(readFileSync('package.json', 'utf8')),
)

/** The release that `/sdk/latest/` is, as it stands in addresses. */
export const BUILT_RELEASE = `v${version}`

/** The current release, and each kept one. */
export const SDK_RELEASES = ['latest', ...readdirSync('releases').filter((name) => name !== BUILT_RELEASE)]

/** Which SDK release the pages of a test load. */
interface PinnedRelease {
  /** `latest`, or a folder of `releases/`, such as `v1.0.0`. */
  sdkRelease: string
}

/** A test whose pages get the SDK of this release when they ask for the latest one. */
export const test = anyTest.extend<PinnedRelease>({
  sdkRelease: ['latest', { option: true }],
  page: async ({ page, sdkRelease }, use) => {
    if (sdkRelease !== 'latest') {
      await page.route('**/sdk/latest/*.js', (route) =>
        route.continue({ url: route.request().url().replace('/latest/', `/${sdkRelease}/`) }),
      )
    }
    await use(page)
  },
})
