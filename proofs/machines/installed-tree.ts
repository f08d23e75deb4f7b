import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a running service is made of: deploy/Dockerfile copies the same. */
const PARTS = ['package.json', 'package-lock.json', '.npmrc', 'scripts/supported-node.mjs', 'releases']
const BUILT = ['service', 'dashboard', 'preview', 'releases']

/** A built service, outside of this folder, with what `npm ci --omit=dev` installs. */
export interface InstalledTree {
  folder: string
  packages: number
  remove: () => void
}

export function installTree(): InstalledTree {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tree-'))
  chmodSync(folder, 0o755)
  for (const path of [...PARTS, ...BUILT.map((part) => `dist/${part}`)])
    cpSync(path, join(folder, path), { recursive: true })
  const install = ['ci', '--omit=dev', '--no-audit', '--no-fund']
  const said = execFileSync('npm', install, { cwd: folder, encoding: 'utf8' })
  return {
    folder,
    packages: Number(/added (\d+) package/.exec(said)?.[1] ?? 0),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
