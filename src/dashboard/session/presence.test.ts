import { act, screen } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { openDashboard } from '../testing/open-dashboard.ts'
import { settled } from '../testing/test-browser.ts'

const MINUTE_MS = 60_000
const ASKED = 'GET /api/session'

/** A page on a device whose time the test moves on. `ask` makes it ask by itself. */
async function openPage() {
  let time = Date.parse('2026-11-21T10:00:00Z')
  const { sent } = await openDashboard('/team', {
    browser: { now: () => time },
  })
  await screen.findByRole('banner')
  const ask = async () => {
    await act(async () => {
      window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
      await settled()
    })
    return sent.findLast(({ line }) => line === ASKED)?.isUnattended
  }
  return { sent, ask, pass: (ms: number) => (time += ms) }
}

it('requests that a page makes by itself say so, once nobody has done anything for a minute', async () => {
  const { ask, pass } = await openPage()
  pass(MINUTE_MS - 1)
  expect(await ask()).toBe(false)
  pass(1)
  expect(await ask()).toBe(true)
})

it('a clock that is set back does not keep somebody there', async () => {
  const { ask, pass } = await openPage()
  pass(-60 * MINUTE_MS)
  expect(await ask()).toBe(true)
})

it.each(['keydown', 'pointerdown', 'click', 'input', 'wheel', 'visibilitychange'])(
  'a person is there again by %s',
  async (type) => {
    const { ask, pass } = await openPage()
    pass(MINUTE_MS)
    document.body.dispatchEvent(new Event('mousemove', { bubbles: true }))
    expect(await ask()).toBe(true)
    const target = type === 'visibilitychange' ? document : document.body
    target.dispatchEvent(new Event(type, { bubbles: true }))
    expect(await ask()).toBe(false)
  },
)
