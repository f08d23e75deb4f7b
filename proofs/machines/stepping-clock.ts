import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { locatePostgres, postgresAccount } from '../../src/service/platform/database/embedded/postgres-location.ts'

/** Where Debian's package libfaketime and others put the library. */
const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib64/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
]

/** The wall clock of processes, which can be set while they run; their monotonic clock is not changed. */
export interface SteppingClock {
  /** The environment variables that give a process this clock. */
  environment: Readonly<Record<string, string>>
  /** Sets how many seconds it is ahead of the real time, at once and for all its processes. */
  set: (seconds: number) => void
  aheadSeconds: () => number
}

/** Null where libfaketime is not installed. */
export function createSteppingClock(folder: string): SteppingClock | null {
  const library = LIBRARIES.find((path) => existsSync(path))
  if (library === undefined) return null
  const file = join(folder, 'clock')
  let ahead = 0
  const set = (seconds: number) => {
    // Written under another name and renamed, so that no process reads a file that is half written.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 })
    renameSync(`${file}.new`, file)
    ahead = seconds
  }
  set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    aheadSeconds: () => ahead,
  }
}

/** A folder with the PostgreSQL programs that the service uses, each of which runs with this clock, whoever starts it. */
export function programsBy({ environment }: SteppingClock, folder: string): string {
  const { programs } = locatePostgres(folder, postgresAccount())
  const bin = join(folder, 'programs', 'bin')
  mkdirSync(bin, { recursive: true })
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  for (const program of ['initdb', 'postgres']) {
    const script = `#!/bin/sh\nexport ${settings.join(' ')}\nexec '${join(programs, 'bin', program)}' "$@"\n`
    writeFileSync(join(bin, program), script)
    chmodSync(join(bin, program), 0o755)
  }
  return join(folder, 'programs')
}
