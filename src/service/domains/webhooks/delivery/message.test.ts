import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { localMasterKeys } from '../../../testing/local-master-keys.ts'
import { createTextVault } from '../../../platform/vault/sealed-text.ts'
import { placeOf } from '../webhook.ts'
import { openOnce } from './message.ts'

it('opens the secrets of a webhook once for its messages of the same time, and each webhook’s own', async () => {
  const keys = localMasterKeys(`k:${randomBytes(32).toString('base64')}`)
  let opened = 0
  const unwrap: typeof keys.unwrap = (...asked) => {
    opened += 1
    return keys.unwrap(...asked)
  }
  const vault = createTextVault(() => ({ ...keys, unwrap }))
  const webhookWith = async (id: string, texts: readonly string[]) => {
    const place = placeOf({ merchantId: 'm', id })
    const secrets = await Promise.all(texts.map((text) => vault.seal(text, place)))
    return { id, merchantId: 'm', url: 'https://shop.example/', secrets }
  }
  const [one, other] = [await webhookWith('one', ['new', 'old']), await webhookWith('other', ['else'])]
  const secretsOf = openOnce(vault)
  const asked = [one, other, { ...one }, one].map((webhook) => secretsOf(webhook))
  expect(await Promise.all(asked)).toEqual([['new', 'old'], ['else'], ['new', 'old'], ['new', 'old']])
  expect(opened).toBe(3)
  await openOnce(vault)(one)
  expect(opened).toBe(5)
})
