import { describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '../../contract/page/widget-appearance.ts'
import { createFormats } from '../formats/formats.ts'
import { data } from '../testing/answers.ts'
import { openDashboard, SESSION } from '../testing/open-dashboard.ts'
import { summary } from './charges/testing/charge-examples.ts'
import { HOOK } from './webhooks/testing/made-webhook.ts'

const TIME_ZONE = 'America/New_York'
const AT = '2026-11-21T01:30:00.000Z'
const KEY = {
  id: '00000000000000a1',
  kind: 'secret',
  key: null,
  created_at: AT,
  last_used_at: AT,
  ends_at: null,
  is_revoked: false,
}
const CHAIN = { is_intact: true, length: 12_345, verified_length: 12_000, verified_at: AT, broken_at: null }

/** Pages with what is read for them, and what of it is written in the person's language and zone. */
const PAGES = [
  {
    address: '/charges',
    answers: { 'GET /api/charges': data([summary({ amount: 1234.5, created_at: AT })]) },
    words: ({ money, dateTime }: Formats) => [money(123_450, 'AUD'), dateTime(AT)],
  },
  {
    address: '/webhooks',
    answers: { 'GET /v1/webhooks': data([{ ...HOOK, created_at: AT }]) },
    words: ({ date }: Formats) => [date(AT)],
  },
  {
    address: '/security',
    answers: { 'GET /api/keys': data([KEY]) },
    words: ({ date, relative }: Formats) => [date(AT), relative(AT)],
  },
  {
    address: '/audit',
    answers: { 'GET /api/events': data([]), 'GET /api/events/chain': data(CHAIN) },
    words: ({ number, relative }: Formats) => [number(12_345), relative(AT)],
  },
]
type Formats = ReturnType<typeof createFormats>

describe.each(PAGES)('the page $address', ({ address, answers, words }) => {
  it.each(LANGUAGES)(
    'writes numbers, money and times as %s does, in the zone of the profile',
    async (language) => {
      await openDashboard(address, {
        answers: { 'GET /api/session': data({ ...SESSION, time_zone: TIME_ZONE }), ...answers },
        browser: { languages: [language] },
      })
      const now = () => Date.parse('2026-11-21T10:00:00Z')
      for (const text of words(createFormats({ locale: language, timeZone: TIME_ZONE, now })))
        await vi.waitFor(() => expect(document.body.textContent).toContain(text))
    },
  )
})
