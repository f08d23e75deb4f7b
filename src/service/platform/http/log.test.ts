import type { Logger } from 'pino'
import { describe, expect, it } from 'vitest'
import { capturedLog } from '../../testing/captured-log.ts'
import { SPELLINGS_OF_TOKENS } from '../../testing/spellings.ts'
import { oneTimeTokenOf } from '../secrets/one-time-token.ts'

/** What was logged, without the time, whose digits may be those that are looked for. */
function linesOf(write: (log: Logger) => void): string {
  const { log, logged } = capturedLog()
  write(log)
  return logged().replace(/"time":"[^"]+",/, '')
}

describe('the log', () => {
  it.each([
    [{ card_number: '5111111111111118' }],
    [{ body: { card_number: '5111111111111118', card_ccv: '987' } }],
    [{ request: { headers: { 'x-user-secret-key': 'sk_live_secret' } } }],
  ])('redacts %o', (facts) => {
    expect(linesOf((log) => log.info(facts, 'words'))).not.toMatch(/5111111111111118|987|sk_live_secret/)
  })

  const dashed = '5111-1111-1111-1118'
  it.each([
    ['a text', (log: Logger) => log.info({ reference: `${dashed} 01/39 100` }, 'words')],
    ['a text at any depth', (log: Logger) => log.info({ a: [{ b: { c: { d: dashed } } }] }, 'words')],
    ['a name', (log: Logger) => log.info({ a: { [dashed]: 1 } }, 'words')],
    ['a number', (log: Logger) => log.info({ a: { n: 5_111_111_111_111_118 } }, 'words')],
    ['the message', (log: Logger) => log.warn(`of ${dashed}`)],
    ["the logger's own facts", (log: Logger) => log.child({ request_id: dashed }).info('words')],
    ['lines', (log: Logger) => log.info({ text: '5111\n1111\n1111\n1118' }, 'words')],
    ["another script's digits", (log: Logger) => log.info({ text: '٥١١١ ١١١١ ١١١١ ١١١٨' }, 'words')],
    ['an address', (log: Logger) => log.info({ url: '/?a=5111%C2%A01111%C2%A01111%C2%A01118' }, 'words')],
    ['an error that is the message', (log: Logger) => log.error(new Error(`of ${dashed}`))],
  ])('hides a card number in %s, whatever its name', (_, write) => {
    const line = linesOf(write)
    expect(line).toContain('[card number]')
    expect(line).not.toMatch(/1118|١١١٨/)
    expect(JSON.parse(line)).toHaveProperty('level')
  })

  const token = oneTimeTokenOf(Buffer.alloc(16, 0x5a))
  it.each(Object.entries(SPELLINGS_OF_TOKENS))('hides a one-time token %s', (_, spell) => {
    const text = spell(token)
    for (const facts of [
      { reference: text },
      { a: [{ b: { [text]: 1 } }] },
      { err: new Error(`of ${text}`) },
    ]) {
      const line = linesOf((log) => log.child({ request_id: text }).info(facts, `about ${text}`))
      expect(line.match(/\[one-time token\]/g)).toHaveLength(3)
      expect(line).not.toContain(JSON.stringify(text).slice(1, -1))
    }
  })

  it.each(['token', 'payment_source', 'client_secret', 'secret', 'recovery_code', 'cookie'])(
    'redacts %s, whatever its form',
    (name) => {
      const secret = 'k7wp-3xmd-9qhr-t2ce'
      const line = linesOf((log) => log.info({ [name]: secret, body: { [name]: secret } }, 'words'))
      expect(line).not.toContain(secret)
    },
  )

  it('leaves other lines as they are', () => {
    const facts = {
      at: 1_795_314_123_456,
      id: '6b014444333322221111aaaa',
      share: 0.5,
      list: [true, null, 'é\n'],
    }
    expect(JSON.parse(linesOf((log) => log.info(facts, 'words')))).toMatchObject({ ...facts, msg: 'words' })
  })

  it('tells of an error what may be told: no rows, no card number, and where it was', () => {
    const error = Object.assign(new Error('bad value 5111-1111 1111 1118'), {
      code: '22P02',
      detail: 'row 987',
    })
    const text = linesOf((log) => log.error({ err: error }, 'failed'))
    expect(text).toContain('[card number]')
    expect(text).toContain('22P02')
    expect(text).toContain('log.test.ts')
    expect(text).not.toMatch(/1111|987/)
  })
})
