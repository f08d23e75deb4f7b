import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { CannotLock, FolderInUse, lockDataDir, lockFolder } from './folder-lock.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-lock-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Another process that holds a folder as a service does; `before` names what starts it, if not we. */
async function holder(dataDir: string, before: readonly string[] = []): Promise<ChildProcess> {
  const lock = join(dataDir, 'service-folder.lock')
  const words = [...before, 'flock', '--no-fork', '-n', lock, 'sh', '-c', 'echo held; exec sleep 60']
  const child = spawn('env', words, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Root may make namespaces; others may where the kernel lets them be root in one of their own. */
const inNamespaces = [
  'unshare',
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']),
  ...['--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--net'],
]

describe('the lock of a data folder', () => {
  it('is refused to a second service, in words that say what to do', () => {
    const dataDir = folder()
    const release = lockDataDir(dataDir)
    expect(() => lockDataDir(dataDir)).toThrow(FolderInUse)
    expect(() => lockDataDir(dataDir)).toThrow(
      /^[^\n]*in use by another service \(process \d+[^\n]*SVC_DATA_DIR[^\n]*$/,
    )
    release()
    lockDataDir(dataDir)()
    rmSync(dataDir, { recursive: true })
  })

  it('is refused under another spelling of the same folder, however deep it lies', () => {
    const deep = join(folder(), ...Array.from({ length: 12 }, () => 'a-folder-with-a-long-name'))
    const release = lockDataDir(deep)
    const link = join(folder(), 'link')
    symlinkSync(deep, link)
    expect(() => lockDataDir(link)).toThrow(FolderInUse)
    release()
    lockDataDir(link)()
  })

  it('holds against a service of another container, also a stopped one, and ends with it', async () => {
    const dataDir = folder()
    const other = await holder(dataDir, inNamespaces)
    expect(() => lockDataDir(dataDir)).toThrow(FolderInUse)
    await killed(other)
    await vi.waitFor(() => lockDataDir(dataDir)())
    const stopped = await holder(dataDir)
    stopped.kill('SIGSTOP')
    expect(() => lockDataDir(dataDir)).toThrow(FolderInUse)
    await killed(stopped)
    await vi.waitFor(() => lockDataDir(dataDir)())
    rmSync(dataDir, { recursive: true })
  })
})

describe('a lock that was left by a kernel that is not this one', () => {
  const machine = (bootId: string | null, isLocal: boolean) => ({
    bootId,
    host: `host-${String(bootId)}`,
    isLocal: () => isLocal,
  })
  /** What a service that was killed leaves: its record, and no lock. */
  const leftBy = (bootId: string | null) => {
    const dataDir = folder()
    const host = `host-${String(bootId)}`
    writeFileSync(
      join(dataDir, 'service-folder.holder'),
      JSON.stringify({ boot_id: bootId, host, process: 7 }),
    )
    return dataDir
  }

  it('is taken over on a disk of this machine: it was restarted', () => {
    lockFolder(leftBy('before'), 0o600, machine('now', true))()
  })

  it.each(['before', null])(
    'is refused on a shared volume (%s), by one line that says what to do',
    (bootId) => {
      const dataDir = leftBy(bootId)
      const record = join(dataDir, 'service-folder.holder')
      const take = () => lockFolder(dataDir, 0o600, machine('now', false))
      expect(take).toThrow(FolderInUse)
      expect(take).toThrow(new RegExp(`^[^\n]*host-${String(bootId)}[^\n]*remove ${record}[^\n]*$`))
      rmSync(record)
      take()()
    },
  )

  it('is refused on a shared volume when its record is half written', () => {
    const dataDir = folder()
    writeFileSync(join(dataDir, 'service-folder.holder'), '{"boot')
    expect(() => lockFolder(dataDir, 0o600, machine('now', false))).toThrow(FolderInUse)
    lockFolder(dataDir, 0o600, machine('now', true))()
  })

  it('by this very kernel is taken over on a shared volume too', () => {
    lockFolder(leftBy('now'), 0o600, machine('now', false))()
  })
})

describe('a data folder that cannot be used', () => {
  const file = () => {
    const path = join(folder(), 'file')
    writeFileSync(path, '')
    return path
  }
  const loop = () => {
    const path = join(folder(), 'loop')
    symlinkSync(path, path)
    return path
  }
  it.each([
    ['below /proc', () => '/proc/svc-data/here', 'ENOENT'],
    ['below a device', () => '/dev/null/here', '(?:ENOTDIR|is not a folder)'],
    ['a file', file, 'is not a folder'],
    ['below a file', () => join(file(), 'here'), '(?:ENOTDIR|is not a folder)'],
    ['a link to itself', loop, 'ELOOP'],
    ['without a file system that keeps files', () => '/proc/self', 'ENOENT'],
  ])('(%s) is refused at once, in one line', (_what, place, words) => {
    expect(() => lockDataDir(place())).toThrow(new RegExp(`^[^\n]*${words}[^\n]*$`))
  })

  it('because its volume has no locks is refused by a name of its own', () => {
    const dataDir = folder()
    mkdirSync(join(dataDir, 'bin'))
    writeFileSync(join(dataDir, 'bin', 'flock'), '#!/bin/sh\necho "3: No locks available" >&2; exit 71\n', {
      mode: 0o755,
    })
    vi.stubEnv('PATH', `${join(dataDir, 'bin')}:${String(process.env['PATH'])}`)
    expect(() => lockDataDir(dataDir)).toThrow(CannotLock)
    expect(() => lockDataDir(dataDir)).toThrow('No locks available')
    vi.unstubAllEnvs()
    rmSync(dataDir, { recursive: true })
  })
})
