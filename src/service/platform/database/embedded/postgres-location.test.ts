import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseFault } from '../database-fault.ts'
import { postgresAccount } from './postgres-account.ts'
import { refuseUnrunnable } from './postgres-location.ts'

/** Where a program's loader is missing, as glibc's is on Alpine, the system says that the program is not there. */
it('programs that this system can not run are refused in one line that says what to do', () => {
  const programs = mkdtempSync(join(tmpdir(), 'svc-programs-'))
  mkdirSync(join(programs, 'bin'))
  writeFileSync(join(programs, 'bin', 'postgres'), '#!/lib64/no-loader.so\n', { mode: 0o755 })
  chmodSync(programs, 0o755)
  const refused = () => refuseUnrunnable(programs, postgresAccount())
  expect(refused).toThrow(DatabaseFault)
  expect(refused).toThrow(/^[^\n]*ENOENT[^\n]*glibc[^\n]*SVC_DATABASE_URL[^\n]*$/)
  rmSync(programs, { recursive: true })
})
