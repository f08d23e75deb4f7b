import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../config.ts'
import { ConfigError } from '../../errors.ts'
import { masterKeySource } from './open-master-keys.ts'
import { makeSoftHsm, whyNoSoftHsm } from '../testing/soft-hsm.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const open = (environment: Record<string, string>) =>
  masterKeySource(readConfig({ SVC_DATA_DIR: folder, ...environment }))()

function pipeIn(place: string): string {
  const pipe = join(place, 'pipe')
  execFileSync('mkfifo', [pipe])
  return pipe
}

function gigabyteIn(place: string): string {
  const file = join(place, 'gigabyte')
  writeFileSync(file, '')
  truncateSync(file, 1e9)
  return file
}

describe('where the master keys are', () => {
  it('is a file with a key a line, the first in use', async () => {
    const file = join(folder, 'keys')
    writeFileSync(file, `${key('new')}\n${key('old')}\n`)
    expect((await open({ SVC_VAULT_KEYS_FILE: file })).ids).toEqual(['new', 'old'])
    const current = { SVC_VAULT_KEYS_FILE: file, SVC_VAULT_CURRENT_KEY: 'old' }
    expect((await open(current)).currentId).toBe('old')
  })

  it('is the data folder of a sandbox that names none, and the same there at each start', async () => {
    const { currentId } = await open({})
    expect(currentId).toMatch(/^sandbox-/)
    expect((await open({})).currentId).toBe(currentId)
  })

  it('is told of where that folder cannot be written', async () => {
    await expect(open({ SVC_DATA_DIR: '/proc/svc' })).rejects.toThrow(
      /^no master key can be kept in SVC_DATA_DIR: ENOENT.* Set SVC_VAULT_KEYS\.$/,
    )
  })

  it.each([
    [{ SVC_VAULT_KEYS_FILE: '/nowhere/keys' }, /^SVC_VAULT_KEYS_FILE cannot be read/],
    [
      { SVC_VAULT_KEYS: key('a'), SVC_VAULT_CURRENT_KEY: 'b' },
      /^SVC_VAULT_CURRENT_KEY: the vault has no key b/,
    ],
    [
      {
        SVC_VAULT_KEYS: key('a'),
        SVC_VAULT_TRANSIT_URL: 'http://v.example/v1/transit',
        SVC_VAULT_TRANSIT_KEYS: 'a',
        SVC_VAULT_TRANSIT_TOKEN: 'x',
      },
      /^the vault has two keys of the id a/,
    ],
  ])('%o is refused', async (environment, words) => {
    const rejection = expect(async () => open(environment)).rejects
    await rejection.toThrow(words)
    await expect(async () => open(environment)).rejects.toBeInstanceOf(ConfigError)
  })

  it.each([
    ['a device without an end', () => '/dev/zero', 'is not a regular file'],
    ['a pipe that nobody writes to', () => pipeIn(folder), 'is not a regular file'],
    ['a folder', () => folder, 'is not a regular file'],
    ['a file of a gigabyte', () => gigabyteIn(folder), 'has more than 65536 bytes'],
  ])('is refused at once in one line when it is %s', async (_what, make, words) => {
    const file = make()
    await expect(async () => open({ SVC_VAULT_KEYS_FILE: file })).rejects.toThrow(
      new ConfigError(`SVC_VAULT_KEYS_FILE cannot be read: ${file} ${words}`),
    )
  })

  it.skipIf(whyNoSoftHsm !== null)('is a token, whose wrong settings are said in one line each', async () => {
    const { module, token, keys, pin, remove } = makeSoftHsm(['k1'])
    const tokenOf = {
      SVC_VAULT_PKCS11_MODULE: module,
      SVC_VAULT_PKCS11_TOKEN: token,
      SVC_VAULT_PKCS11_KEYS: keys.join(),
    }
    const right = { ...tokenOf, SVC_VAULT_PKCS11_PIN: pin }
    // A login counts for the whole process: the wrong PIN has to come first.
    for (const [wrong, words] of [
      [{ SVC_VAULT_PKCS11_MODULE: '/nowhere.so' }, /^SVC_VAULT_PKCS11_MODULE cannot be loaded/],
      [{ SVC_VAULT_PKCS11_TOKEN: 'other' }, /^SVC_VAULT_PKCS11_TOKEN: there is no token other$/],
      [{ SVC_VAULT_PKCS11_PIN: 'wrong-pin' }, /CKR_PIN_INCORRECT$/],
      [{ SVC_VAULT_PKCS11_KEYS: 'k9' }, /^SVC_VAULT_PKCS11_KEYS: the token has no AES key k9$/],
    ] as const)
      await expect(open({ ...right, ...wrong })).rejects.toThrow(words)
    const file = join(folder, 'pin')
    writeFileSync(file, `${pin}\n`)
    expect((await open({ ...tokenOf, SVC_VAULT_PKCS11_PIN_FILE: file })).ids).toEqual(['k1'])
    remove()
  })
})
