// @vitest-environment node
import { expect, it } from 'vitest'

it('a server that renders the shop’s pages may import the SDK, though it has no document', async () => {
  expect(typeof document).toBe('undefined')
  const { HtmlWidget } = await import('./index.ts')
  expect(new HtmlWidget('#card', 'pk').setText('title', 'Pay').getEnv()).toBe('sandbox')
})
