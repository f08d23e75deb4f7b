import { generate } from 'otplib'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { RecoveryCodes, TotpSetup } from '../../../contract/dashboard/people/user-settings.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createSignInBed } from './testing/sign-in-bed.ts'

const TABLES = [
  'users',
  'memberships',
  'user_sessions',
  'user_addresses',
  'user_totp',
  'recovery_codes',
  'passkeys',
  'passkey_challenges',
  'invitations',
  'event_outbox',
  'rate_windows',
]

it('no password, token, secret or code is in the log, in an event or in any table', async () => {
  const bed = await createSignInBed()
  const token = await bed.invite('grace@acme.example')
  const person = { email: 'grace@acme.example', password: 'quiet river stone' }
  const page = bed.browser()
  await page.post('/api/invitations/accept', { token, name: 'Grace', password: person.password })
  const tokens = [token, page.token]
  await page.post('/api/session', { ...person, password: 'tried in vain 1' })
  await page.post('/api/session', person)
  const { secret } = v.parse(TotpSetup, (await page.post('/api/user/totp')).data)
  const code = await generate({ secret })
  const { recovery_codes: codes } = v.parse(
    RecoveryCodes,
    (await page.post('/api/user/totp/confirm', { code })).data,
  )
  tokens.push(page.token)
  await page.post('/api/user/password', { old: person.password, new: 'another quiet river' })
  tokens.push(page.token)
  await page.post('/api/session', { email: 'unknown-person@acme.example', password: 'tried in vain 2' })

  const rows = await Promise.all(
    TABLES.map((table) =>
      bed.service.database.run(testStatement(`t_all_${table}`, `SELECT x::text AS row FROM ${table} x`), []),
    ),
  )
  const kept = JSON.stringify(rows) + bed.service.logged()
  expect(kept).toContain('grace@acme.example')
  const passwords = [person.password, 'tried in vain', 'another quiet river']
  for (const hidden of [...passwords, ...tokens, secret, ...codes, 'unknown-person'])
    expect([hidden, kept.includes(String(hidden))]).toEqual([hidden, false])
  await bed.service.close()
})
