import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { joinKeyStores } from './master-keys.ts'
import { startTransitDouble } from '../testing/transit-double.ts'
import type { TransitDouble } from '../testing/transit-double.ts'
import { createTransitKeyStore } from './transit-key-store.ts'

const dataKey = Buffer.alloc(32, 7)
let double: TransitDouble
beforeEach(async () => {
  double = await startTransitDouble(['k'])
})
afterEach(() => double.close())

const keysWith = (token: { text: string } | { file: string }, timeoutMs = 500) =>
  joinKeyStores([createTransitKeyStore({ url: double.url, keys: ['k'], token })], 'k', timeoutMs)

it.each([
  ['sealed', { status: 503, body: '{"errors":["Vault is sealed"]}' }],
  ['over its limit', { status: 429, body: '{"errors":["rate limit"]}' }],
  ['not of the API', { status: 200, body: '<html>' }],
  ['of another form', { status: 200, body: '{"data":{"ciphertext":"k:1"}}' }],
  ['endless', { status: 200, body: `{"data":{"ciphertext":"${'x'.repeat(100_000)}"}}` }],
  ['none', 'hang' as const],
])('an answer that is %s is an outage, and the next good one counts again', async (_name, answer) => {
  const keys = keysWith({ text: double.token })
  double.answerWith(answer)
  await expect(keys.wrap(dataKey, 'here')).rejects.toMatchObject({ code: 'service_unavailable' })
  double.answerWith(null)
  expect(await keys.unwrap(await keys.wrap(dataKey, 'here'), 'here')).toEqual(dataKey)
})

it('an engine that is gone is an outage', async () => {
  const keys = keysWith({ text: double.token })
  await double.close()
  await expect(keys.wrap(dataKey, 'here')).rejects.toMatchObject({ code: 'service_unavailable' })
  double = await startTransitDouble(['k'])
})

it('a token that an agent refreshes in a file is read again; a refused one is an outage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-transit-'))
  const file = join(folder, 'token')
  const keys = keysWith({ file })
  for (const wrong of ['', 'expired\n']) {
    if (wrong !== '') writeFileSync(file, wrong)
    await expect(keys.wrap(dataKey, 'here')).rejects.toMatchObject({ code: 'service_unavailable' })
  }
  writeFileSync(file, `${double.token}\n`)
  expect((await keys.wrap(dataKey, 'here')).masterKeyId).toBe('k')
  rmSync(folder, { recursive: true })
})

it('what was wrapped opens after the engine has made a new version of its key', async () => {
  const keys = keysWith({ text: double.token })
  const wrapped = await keys.wrap(dataKey, 'here')
  double.rotate('k')
  expect(await keys.unwrap(wrapped, 'here')).toEqual(dataKey)
  expect((await keys.wrap(dataKey, 'here')).wrappedDataKey.toString()).toMatch(/^vault:v2:/)
})
