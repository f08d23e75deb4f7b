import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createLineOutput } from './line-output.ts'
import type { LineOutput } from './line-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-line-output-'))
const opened: number[] = []
afterAll(() => {
  for (const descriptor of opened) closeSync(descriptor)
  rmSync(folder, { recursive: true })
})

function open(path: string, flags: number | string): number {
  const descriptor = openSync(path, flags)
  opened.push(descriptor)
  return descriptor
}

/** A busy machine may take its time. */
const WAIT = { timeout: 10_000 }

const gapLine = (lines: number, cause: string) => `${lines} missing: ${cause}\n`
const LINE = `${'x'.repeat(99)}\n`
const write = (output: LineOutput, count: number) => {
  for (let line = 0; line < count; line += 1) output.write(LINE)
}

let pipes = 0
/** A pipe with a name, and its two ends. */
function makePipe() {
  pipes += 1
  const path = join(folder, `pipe-${pipes}`)
  execFileSync('mkfifo', [path])
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = open(path, constants.O_WRONLY)
  const read = () => {
    const bytes = Buffer.alloc(4 * 1024 * 1024)
    let length = 0
    try {
      for (let got = 1; got > 0; length += got) got = readSync(reading, bytes, length, 65_536, null)
    } catch {
      // Nothing more for now.
    }
    return bytes.toString('utf8', 0, length)
  }
  return { path, reading, writing, read }
}

describe('an output of lines', () => {
  it('writes each line at once, in order', () => {
    const file = join(folder, 'file')
    const output = createLineOutput(open(file, 'a'), { gapLine })
    output.write('one\n')
    output.write('two\n')
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n')
    expect(output.dropped()).toBe(0)
  })

  it('drops and counts what a full disk does not take, and goes on', () => {
    const output = createLineOutput(open('/dev/full', 'w'), { gapLine })
    const begun = performance.now()
    write(output, 10_000)
    output.flushSync()
    expect(output.dropped()).toBe(10_000)
    expect(performance.now() - begun).toBeLessThan(1000)
  })

  it('waits for no reader: lines wait in bounded memory, then are dropped, and the gap is told', async () => {
    const { writing, read } = makePipe()
    const output = createLineOutput(writing, { gapLine, maxWaitingBytes: 100_000 })
    const begun = performance.now()
    write(output, 5000)
    expect(performance.now() - begun).toBeLessThan(1000)
    const dropped = output.dropped()
    expect(dropped).toBeGreaterThan(3000)
    let text = ''
    await vi.waitFor(() => {
      text += read()
      expect(text).toContain('missing')
    }, WAIT)
    const lines = text.split('\n').slice(0, -1)
    expect(lines.filter((line) => `${line}\n` === LINE)).toHaveLength(5000 - dropped)
    expect(lines.at(-1)).toBe(`${dropped} missing: EAGAIN`)
    output.write('after\n')
    await vi.waitFor(() => expect(read()).toBe('after\n'), WAIT)
  })

  it('drops what a closed pipe does not take, until somebody reads again', async () => {
    const { path, reading, writing } = makePipe()
    const output = createLineOutput(writing, { gapLine })
    closeSync(reading)
    write(output, 3)
    expect(output.dropped()).toBe(3)
    const again = open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const bytes = Buffer.alloc(100)
    await vi.waitFor(
      () => expect(bytes.toString('utf8', 0, readSync(again, bytes))).toBe('3 missing: EPIPE\n'),
      WAIT,
    )
  })

  it('leaves the writes of other processes to the same pipe as they were', () => {
    const { writing } = makePipe()
    createLineOutput(writing, { gapLine })
    const [, flags = ''] = /flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${writing}`, 'utf8')) ?? []
    expect(Number.parseInt(flags, 8) & constants.O_NONBLOCK).toBe(0)
  })

  it('writes what waits at the end of the process, for a second at most', () => {
    const { writing, read } = makePipe()
    const output = createLineOutput(writing, { gapLine })
    write(output, 1000)
    const begun = performance.now()
    output.flushSync()
    expect(performance.now() - begun).toBeLessThan(1500)
    const first = read()
    output.flushSync()
    expect(`${first}${read()}`).toBe(LINE.repeat(1000))
  })
})

describe('a disk of its own that is full (tried where one can be mounted)', () => {
  const disk = mountSmall()
  afterAll(() => {
    if (disk !== null) execFileSync('umount', ['--lazy', disk])
  })

  it.skipIf(disk === null)('ends a broken line before the gap is told', async () => {
    const file = join(disk ?? '', 'log')
    const output = createLineOutput(open(file, 'a'), { gapLine })
    write(output, 700)
    const dropped = output.dropped()
    expect(dropped).toBeGreaterThan(0)
    execFileSync('mount', ['-o', 'remount,size=1m', disk ?? ''])
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('missing'), WAIT)
    output.write('after\n')
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines.slice(-3)).toEqual([`${dropped} missing: ENOSPC`, 'after', ''])
    expect(lines.filter((line) => `${line}\n` === LINE)).toHaveLength(700 - dropped)
  })
})

function mountSmall(): string | null {
  const place = mkdtempSync(join(folder, 'disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'svc-test', place], { stdio: 'ignore' })
    return place
  } catch {
    return null
  }
}
