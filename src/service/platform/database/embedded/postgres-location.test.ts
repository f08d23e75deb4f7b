import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseFault } from '../faults.ts'
import { installedPrograms, postgresAccount, refuseUnrunnable } from './postgres-location.ts'

/** Where a program's loader is missing, as glibc's is on Alpine, the system says that the program is not there. */
it('programs that this system cannot run are refused in one line that says what to do', () => {
  const programs = mkdtempSync(join(tmpdir(), 'svc-programs-'))
  mkdirSync(join(programs, 'bin'))
  writeFileSync(join(programs, 'bin', 'postgres'), '#!/lib64/no-loader.so\n', { mode: 0o755 })
  chmodSync(programs, 0o755)
  const refused = () => refuseUnrunnable(programs, postgresAccount())
  expect(refused).toThrow(DatabaseFault)
  expect(refused).toThrow(/^[^\n]*glibc[^\n]*SVC_DATABASE_URL[^\n]*ENOENT[^\n]*$/)
  rmSync(programs, { recursive: true })
})

it('a system that no PostgreSQL comes for is told what to set', () => {
  expect(() => installedPrograms('win32-x64')).toThrow(
    /^no PostgreSQL comes with the service for win32-x64: set SVC_DATABASE_URL$/,
  )
})

it('where the optional packages were left out it is said how to have them', () => {
  // Never installed beside the package of this system.
  const other = process.platform === 'darwin' ? 'linux-arm64' : 'darwin-arm64'
  expect(() => installedPrograms(other)).toThrow(
    /^the embedded PostgreSQL was not installed: run npm ci without --omit, or set SVC_DATABASE_URL$/,
  )
})
