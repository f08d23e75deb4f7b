import { test as anyTest } from '@playwright/test'

/** Which SDK release the pages of a project load. */
export interface PinnedRelease {
  /** `latest`, or a folder of `releases/`, such as `v1.0.0`. */
  sdkRelease: string
}

/** A test whose pages get the SDK of the project's release wherever they ask for the latest. */
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
