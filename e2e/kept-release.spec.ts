import { expect } from '@playwright/test'
import * as v from 'valibot'
import { Shop } from './pages/shop.ts'
import { SERVICE_URL } from './world/addresses.ts'
import { test } from './world/pinned-release.ts'

const List = v.object({ latest: v.string() })

test('the shop runs on the release of this project, with the frame that it was released with', async ({
  page,
  request,
  sdkRelease,
}) => {
  const list: unknown = await (await request.get(`${SERVICE_URL}/sdk/releases.json`)).json()
  const version = sdkRelease === 'latest' ? v.parse(List, list).latest : sdkRelease.slice(1)
  await new Shop(page).goToCheckout()
  expect(await page.evaluate('svc.VERSION')).toBe(version)
  expect(page.frames().map((frame) => new URL(frame.url()).pathname)).toContain(`/sdk/v${version}/frame`)
})
