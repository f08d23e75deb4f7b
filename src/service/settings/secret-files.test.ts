import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { exposedSecretFiles } from '../warn-at-start.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-secret-files-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function makeFile(mode: number, { inFolder = 0o755, name = 'keys' } = {}): string {
  files += 1
  const file = join(folder, String(files), name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'k1:secret')
  chmodSync(file, mode)
  chmodSync(dirname(file), inFolder)
  return file
}
const exposure = (path: string) => exposedSecretFiles({ SVC_VAULT_KEYS_FILE: path })[0] ?? null

it.each([0o400, 0o600, 0o640, 0o440])(
  'a file of mode %o, for its account and group, is as it should be',
  (mode) => {
    expect(exposure(makeFile(mode))).toBeNull()
  },
)

it.each([
  [0o666, 'other accounts can write it (mode 666): chmod 600'],
  [0o660, 'other accounts can write it (mode 660): chmod 600'],
  [0o602, 'other accounts can write it (mode 602): chmod 600'],
  [0o644, 'other accounts can read it (mode 644): chmod 600'],
  [0o604, 'other accounts can read it (mode 604): chmod 600'],
])('a file of mode %o is told with its setting, its path and the cure', (mode, words) => {
  const file = makeFile(mode)
  expect(exposure(file)).toBe(`SVC_VAULT_KEYS_FILE (${file}): ${words}`)
})

it('what others can reach by no folder, they cannot read', () => {
  expect(exposure(makeFile(0o644, { inFolder: 0o700 }))).toBeNull()
})

it('a folder to which others can write lets them replace the file, unless it is sticky', () => {
  const file = makeFile(0o600, { inFolder: 0o777 })
  expect(exposure(file)).toContain(`other accounts can replace it, as they can write to ${dirname(file)}`)
  expect(exposure(makeFile(0o600, { inFolder: 0o1777 }))).toBeNull()
})

it('a link is judged by its own folder and by what it leads to', () => {
  const open = makeFile(0o644)
  const link = join(dirname(makeFile(0o600, { inFolder: 0o777 })), 'link')
  symlinkSync(open, link)
  expect(exposure(link)).toContain(`can write to ${dirname(link)}`)
  const closedLink = join(folder, 'link')
  symlinkSync(open, closedLink)
  expect(exposure(closedLink)).toContain('other accounts can read it')
})

it('secrets as Kubernetes mounts them are fine: mode 644, by links to a dated folder', () => {
  const file = makeFile(0o644, { name: '..2026_11_26_12_00_00.1/keys', inFolder: 0o2755 })
  expect(exposure(file)).toBeNull()
})

it('each setting that names a file of a secret is known', () => {
  const files = { SVC_VAULT_KEYS_FILE: makeFile(0o600), SVC_METRICS_TOKEN_FILE: makeFile(0o600) }
  writeFileSync(files.SVC_METRICS_TOKEN_FILE, '0123456789abcdef')
  expect(readConfig(files).secretFiles).toEqual(files)
})

it('a file that is not there is left to who reads it', () => {
  expect(exposure(join(folder, 'nowhere'))).toBeNull()
})
