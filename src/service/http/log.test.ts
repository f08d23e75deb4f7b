import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { capturedLog } from '../testing/captured-log.ts'

function linesOf(write: (log: Logger) => void): string {
  const { log, logged } = capturedLog()
  write(log)
  return logged()
}

describe('the log', () => {
  it.each([
    [{ card_number: '5111111111111118' }],
    [{ body: { card_number: '5111111111111118', card_ccv: '987' } }],
    [{ request: { headers: { 'x-user-secret-key': 'sk_live_secret' } } }],
  ])('redacts %o', (facts) => {
    expect(linesOf((log) => log.info(facts, 'words'))).not.toMatch(/5111111111111118|987|sk_live_secret/)
  })

  it('tells of an error what may be told: no rows, no long numbers', () => {
    const error = Object.assign(new Error('bad value 5111-1111 1111 1118'), {
      code: '22P02',
      detail: 'row 987',
    })
    const text = linesOf((log) => log.error({ err: error }, 'failed')).replace(/"time":\d+/, '')
    expect(text).toContain('[digits]')
    expect(text).toContain('22P02')
    expect(text).not.toMatch(/1111|987/)
  })
})
