import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { startFakePostgres, startTlsTo } from '../../testing/fake-postgres.ts'
import { TEST_CERTIFICATE } from '../../testing/test-certificate.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { databaseUrlFault } from '../../open-database.ts'
import { exposureOf } from './connecting.ts'
import { readConnectionUrl } from './connection-url.ts'
import { createDatabase } from './database.ts'
import { Connection } from './session.ts'

const one = testStatement<{ one: number }>('t_one', 'SELECT 1 AS one')

/** Runs a statement in each way that connections are opened by. */
async function askAt(url: string): Promise<unknown> {
  const database = createDatabase({ connectionString: url, connections: 1, onIdleError: () => undefined })
  onTestFinished(() => database.close())
  try {
    const rows = [
      await database.run(one, []),
      await database.grouped.run(one, []),
      await database.transaction((queries) => queries.run(one, [])),
    ]
    await database.outsideTransaction('VACUUM pg_type')
    return rows.every(([row]) => row?.one === 1) ? 'answered' : rows
  } catch (error) {
    return String(databaseUrlFault(url, error))
  }
}

function fileWith(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-url-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'ca.pem'), content)
  return join(folder, 'ca.pem')
}

describe('a server with a certificate that it has signed itself', () => {
  it.each([
    ['sslmode=disable', 'answered', false],
    ['sslmode=allow', 'answered', false],
    ['', 'answered', false],
    ['sslmode=prefer', 'answered', true],
    ['sslmode=require', 'answered', true],
    ['sslmode=no-verify', 'answered', true],
    ['sslmode=verify-full', 'sslrootcert=/path/to/ca.pem', true],
    ['ssl=true', 'sslrootcert=/path/to/ca.pem', true],
    ['sslmode=verify-ca&sslrootcert=CA', 'answered', true],
    ['sslmode=require&sslrootcert=CA', 'answered', true],
    ['sslmode=verify-full&sslrootcert=CA', 'sslmode=verify-ca', true],
    ['sslmode=verify-full&sslrootcert=CA&host=db.example&hostaddr=127.0.0.1', 'answered', true],
  ])('and ?%s: %s', async (parameters, end, isTls) => {
    const asked: boolean[] = []
    const place = await startTlsTo('test', (one) => asked.push(one))
    const query = parameters.replace('=CA', `=${fileWith(TEST_CERTIFICATE)}`)
    expect(await askAt(`postgres://svc@${place}/postgres?${query}`)).toContain(end)
    expect(new Set(asked)).toEqual(new Set([isTls]))
  })
})

describe('a server without TLS', () => {
  it.each([
    ['sslmode=prefer', 'answered'],
    ['sslmode=require', 'Turn on ssl'],
    ['sslmode=verify-full', 'Turn on ssl'],
  ])('and ?%s: %s', async (parameters, end) => {
    const place = await startTlsTo(null, () => undefined)
    expect(await askAt(`postgres://svc@${place}/postgres?${parameters}`)).toContain(end)
  })
})

it.each(['Connection terminated unexpectedly', 'server connection closed', 'server conn crashed?'])(
  'a server or pooler that ends connections with "%s" is reported with what to look at',
  (words) => {
    expect(String(databaseUrlFault('postgres://svc@db.example/svc', new Error(words)))).toContain(
      'SET idle_session_timeout = 0',
    )
  },
)

describe('of several servers', () => {
  const [, folder = ''] = /host=([^&]+)/.exec(inject('connectionString')) ?? []

  it('the first one that answers is taken', async () => {
    expect(await askAt(`postgres://svc@/postgres?host=/nowhere,127.0.0.1,${folder}&port=5432,1,5432`)).toBe(
      'answered',
    )
  })

  it('a standby is passed over', async () => {
    const standby = await startFakePostgres({
      row: { name: 'in_hot_standby', setting: 'on', backend: '7', role: 'svc', database: 'svc' },
      answer: (socket) => socket.destroy(),
    })
    const [host, port] = standby.split(':')
    expect(await askAt(`postgres://svc@/postgres?host=${host},${folder}&port=${port},5432`)).toBe('answered')
  })

  it('none of which answers, the last one is told of', async () => {
    expect(await askAt('postgres://svc:secret@127.0.0.1:1,127.0.0.1:2/svc')).toBe(
      'ConfigError: SVC_DATABASE_URL (127.0.0.1:1,127.0.0.1:2/svc): connect ECONNREFUSED 127.0.0.1:2. Nothing listens there: start the server, or look at host and port',
    )
  })
})

describe('a connection', () => {
  const at = (socket: Socket, remoteAddress: string) =>
    Object.defineProperties(socket, { remoteAddress: { value: remoteAddress }, remotePort: { value: 5432 } })

  it.each([
    ['db.example', '203.0.113.5', true],
    ['localhost', '127.0.0.1', false],
    ['db.example', '127.0.1.1', false],
    ['db.example', '::1', false],
  ])(
    'to %s at %s without TLS, or with an unchecked certificate, is warned of: %s',
    (host, address, warned) => {
      const plain = { connection: { stream: at(new Socket(), address) }, host }
      const encrypted = { connection: { stream: at(new TLSSocket(new Socket()), address) }, host }
      const words = [
        exposureOf({ ...plain, isUnchecked: true }),
        exposureOf({ ...encrypted, isUnchecked: true }),
        exposureOf({ ...encrypted, isUnchecked: false }),
      ]
      const cure = 'add sslmode=verify-full with sslrootcert=… to SVC_DATABASE_URL'
      expect(words).toEqual(
        warned
          ? [
              `the connection to the database at ${host}:5432 has no TLS, so that everybody between can read it: turn ssl on there, and ${cure}`,
              `the connection to the database at ${host}:5432 is encrypted, but the server's certificate is not checked, so that somebody between can pass for the server: ${cure}`,
              null,
            ]
          : [null, null, null],
      )
    },
  )

  it.each([
    ['sslmode=require', true],
    ['sslmode=prefer', true],
    ['sslmode=no-verify', true],
    ['sslmode=verify-ca&sslrootcert=CA', false],
    ['sslmode=verify-full&sslrootcert=CA', false],
    ['sslmode=require&sslrootcert=CA', false],
    ['sslmode=require&channel_binding=require', false],
  ])('by ?%s takes any certificate: %s', (query, isUnchecked) => {
    const url = `postgres://svc@db.example/svc?${query.replace('=CA', `=${fileWith(TEST_CERTIFICATE)}`)}`
    const { places, needsChannelBinding } = readConnectionUrl(url)
    const [ssl] = places[0].tls
    expect(new Connection({ ssl: ssl ?? false }, needsChannelBinding).isUnchecked).toBe(isUnchecked)
  })
})
