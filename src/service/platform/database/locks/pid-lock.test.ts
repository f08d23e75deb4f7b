import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'
import { FolderInUse } from './folder-lock.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-lock-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

describe('the lock of versions before 1.2', () => {
  it('is respected while its process lives, and then taken over', async () => {
    const dataDir = folder()
    const child = spawn('sleep', ['60'])
    const stat = readFileSync(`/proc/${String(child.pid)}/stat`, 'utf8')
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    writeFileSync(join(dataDir, 'service.lock'), `${String(child.pid)} ${start}`)
    expect(() => lockDataDir(dataDir)).toThrow(FolderInUse)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const release = lockDataDir(dataDir)
    expect(readFileSync(join(dataDir, 'service.lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} \\d+$`))
    release()
    expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
    rmSync(dataDir, { recursive: true })
  })

  it('is taken over from a process that was killed and not yet collected', async () => {
    const dataDir = folder()
    // The shell becomes a program that never waits for its child, which is left as a zombie once it is killed.
    const shell = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const zombie = Number(String((await once(shell.stdout, 'data'))[0]))
    const command = () => readFileSync(`/proc/${String(shell.pid)}/comm`, 'utf8')
    await vi.waitFor(() => expect(command()).toBe('sleep\n'))
    process.kill(zombie, 'SIGKILL')
    const stat = () => readFileSync(`/proc/${String(zombie)}/stat`, 'utf8')
    await vi.waitFor(() => expect(stat()).toContain(') Z '))
    const start =
      stat()
        .slice(stat().lastIndexOf(')') + 2)
        .split(' ')[19] ?? ''
    writeFileSync(join(dataDir, 'service.lock'), `${String(zombie)} ${start}`)
    lockDataDir(dataDir)()
    shell.kill()
    rmSync(dataDir, { recursive: true })
  })

  it('is taken over when the number of its process was given out again', () => {
    const dataDir = folder()
    writeFileSync(join(dataDir, 'service.lock'), `${String(process.pid)} 1`)
    lockDataDir(dataDir)()
    rmSync(dataDir, { recursive: true })
  })
})
