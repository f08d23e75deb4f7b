import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { preAuth } from './merchants/merchant-commands.ts'
import { runCall, sayOn } from './run-call.ts'
import { verifyAudit } from './upkeep/verify-audit.ts'

/** A call on a machine that can't reach its database. */
async function call(...words: string[]) {
  const said: string[] = []
  const complained: string[] = []
  const code = await runCall(words, {
    commands: [verifyAudit, preAuth],
    open: () => Promise.reject(new Error('SVC_DATABASE_URL (db.example/svc): connect ECONNREFUSED')),
    remote: { version: '1.0.0', readMerchantKey: () => undefined, untilStopped: () => AbortSignal.abort() },
    say: (text) => said.push(text),
    complain: (text) => complained.push(text),
  })
  return { code, said: said.join(''), complained: complained.join('') }
}

describe('a call of the operator', () => {
  it.each([['--help'], ['help'], ['-h'], []])(
    'for help (%s) lists every command and ends well',
    async (...words) => {
      const { code, said, complained } = await call(...words)
      expect([code, complained]).toEqual([0, ''])
      expect(said).toMatch(/verify-audit[^]*pre-auth MERCHANT_ID/)
    },
  )

  it('for help with one command shows the usage of that command alone', async () => {
    const { code, said } = await call('pre-auth', '--help')
    expect(code).toBe(0)
    expect(said).toMatch(/^pre-auth is called so:/)
    expect(said).not.toContain('verify-audit')
  })

  it.each([
    ['nope', 'svc: There is no command nope. `npm run operator` lists all of them.\n'],
    ['verify-adit', 'svc: There is no command verify-adit. Did you mean verify-audit?\n'],
  ])('of a command that does not exist (%s) says so, and names the likely one', async (name, complained) => {
    expect(await call(name)).toEqual({ code: 2, said: '', complained })
  })

  it('without a database says where it looked for one', async () => {
    expect(await call('verify-audit')).toEqual({
      code: 1,
      said: '',
      complained: 'svc: SVC_DATABASE_URL (db.example/svc): connect ECONNREFUSED\n',
    })
  })

  it('with a card number is not carried out, and the number is not repeated', async () => {
    for (const words of [['pre-auth', '4012-0000-3333-0026'], ['4012000033330026']]) {
      const { code, complained } = await call(...words)
      expect(code).toBe(2)
      expect(complained).toMatch(/looks like a card number/)
      expect(complained).not.toMatch(/4012/)
    }
  })
})

it('a command goes on when nobody reads what it says any more', () => {
  const pipe = new Writable({ write: (_chunk, _encoding, done) => done(new Error('write EPIPE')) })
  let lost = 0
  const say = sayOn(pipe, () => (lost += 1))
  return new Promise<void>((resolve) => {
    pipe.on('close', () => {
      say('more')
      setTimeout(() => {
        expect(lost).toBeGreaterThan(0)
        resolve()
      }, 10)
    })
    say('first')
  })
})
