import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { loadPkcs11 } from '../key-stores/pkcs11-token.ts'
import type { Pkcs11Settings } from '../key-stores/vault-settings.ts'

const MODULES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]
const module = MODULES.find((path) => existsSync(path))

/** Why there can be no token here; null when there can. */
export const whyNoSoftHsm: string | null =
  module === undefined
    ? 'SoftHSM2 is not installed (Debian: softhsm2)'
    : loadPkcs11() === null
      ? 'pkcs11js was not built (it needs a C++ compiler)'
      : null

/** A token of SoftHSM2 with AES-256 keys, in a folder of its own; one for each process, which reads its place once. */
export function makeSoftHsm(keys: readonly string[]): Pkcs11Settings & { remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hsm-'))
  mkdirSync(join(folder, 'tokens'))
  const conf = join(folder, 'softhsm2.conf')
  writeFileSync(
    conf,
    `directories.tokendir = ${folder}/tokens\nobjectstore.backend = file\nlog.level = ERROR\n`,
  )
  vi.stubEnv('SOFTHSM2_CONF', conf)
  const pin = randomBytes(8).toString('hex')
  const run = (...parameters: string[]) => execFileSync('softhsm2-util', parameters, { stdio: 'pipe' })
  run('--init-token', '--free', '--label', 'svc', '--pin', pin, '--so-pin', pin)
  keys.forEach((label, number) => {
    const file = join(folder, label)
    // 32 bytes of text: the tool reads a file up to its first zero byte.
    writeFileSync(file, randomBytes(16).toString('hex'))
    const id = `0${String(number + 1)}`
    run('--import', file, '--aes', '--token', 'svc', '--label', label, '--id', id, '--pin', pin)
    rmSync(file)
  })
  return {
    module: module ?? '',
    token: 'svc',
    keys,
    pin,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
