import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { oneTimeTokenOf } from '../platform/secrets/one-time-token.ts'
import { cardTraceIn, refuseTraces, secretTraceIn } from './traces.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each([
  ['paid with 4012000033330026 today'],
  ['5111 1111 1111 1118'],
  ['3714-496353-98431'],
  ['\\x35313131313131313131313131313138'],
  [base64('{"number":"4012000033330026"}')],
  [base64('{"a_number":"4012000033330026"}')],
  [base64('{"my_number":"4012000033330026"}')],
  ['{"card_ccv":"100"}'],
  ['"body":"{\\"cvc\\":\\"7391\\"}"'],
  ['/pay?card_ccv=739&x'],
])('%s is a trace, as text and as bytes', (text) => {
  expect(cardTraceIn(text)).not.toBeNull()
  expect(cardTraceIn(Buffer.from(`\0\x01${text}\xff`, 'latin1'))).toBe(cardTraceIn(text))
})

it.each(['5111', '51111111 … 1118', '"card_number_bin":"40120000"', '"code":"00"', '100'])(
  '%s may be kept',
  (text) => expect(cardTraceIn(text)).toBeNull(),
)

const token = oneTimeTokenOf(Buffer.alloc(16, 0x5a))
it.each([
  [`paid by ${token}`],
  [`\\x${token.toUpperCase().replaceAll('-', '')}`],
  ['cs_production_bW9uZXkgaXMgc2FmZSBpbiB0aGUg_mFuay4zMTQxNTk'],
  ['"secret":"whsec_Xn0p+yJ9h/Rw2c3ZkT5dLq8V7bUeMfGa"'],
  ['svc_session_k2Jw9Zr4-XcQ7nB0vTyLhE5uGdMs3pFa_ROi8WbHtYx'],
])('%s is a trace of a secret, as text and as bytes', (text) => {
  expect(secretTraceIn(text)).not.toBeNull()
  expect(secretTraceIn(Buffer.from(`\0\x01${text}\xff`, 'latin1'))).toBe(secretTraceIn(text))
})

it.each([randomUUID(), 'pk_sandbox_-Nq4tKX0m_2Rv7yQhLw3Zb8cEj5uPdTs', 'sk_sandbox_…'])(
  '%s is no trace of a secret',
  (text) => expect(secretTraceIn(text)).toBeNull(),
)

it('a secret without hyphens is found wherever it begins', () => {
  const secret = token.replaceAll('-', '')
  for (let before = 0; before < 64; before += 1)
    expect(secretTraceIn(`${'x'.repeat(before)}${secret}x`)).not.toBeNull()
})

it('a folder with a trace in one file below it is refused, and the file is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'))
  mkdirSync(join(folder, 'base', '5'), { recursive: true })
  mkdirSync(join(folder, 'base', '6'))
  writeFileSync(join(folder, 'base', '5', '1260'), 'nothing')
  writeFileSync(join(folder, 'base', '6', '1260'), 'nothing')
  refuseTraces(folder)
  writeFileSync(
    join(folder, 'base', '6', '1260'),
    Buffer.from([0, 1, ...Buffer.from('371449635398431'), 255]),
  )
  expect(() => refuseTraces(folder)).toThrow(/base\/6\/1260 holds 371449635398431/)
  writeFileSync(join(folder, 'base', '6', '1260'), `reference ${token}`)
  expect(() => refuseTraces(folder)).toThrow(/base\/6\/1260 holds a one-time token/)
  rmSync(folder, { recursive: true })
})

it('of two files of one name, a page in which they differ is searched too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-traces-'))
  const pages = Buffer.alloc(3 * 8192, 'nothing ')
  for (const database of ['5', '6']) {
    mkdirSync(join(folder, database))
    writeFileSync(join(folder, database, '1260'), pages)
  }
  refuseTraces(folder)
  pages.write('371449635398431', 8192 + 100)
  writeFileSync(join(folder, '6', '1260'), pages)
  expect(() => refuseTraces(folder)).toThrow('6/1260 holds 371449635398431')
  rmSync(folder, { recursive: true })
})
