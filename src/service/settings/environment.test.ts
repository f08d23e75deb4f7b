import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function fileOf(content: string): string {
  files += 1
  const file = join(folder, `secret-${String(files)}`)
  writeFileSync(file, content)
  return file
}

describe('a secret', () => {
  it('may stand in a file, without the line break at its end', () => {
    const config = readConfig({
      SVC_DATABASE_URL_FILE: fileOf('postgres://u:p@db.example/svc\n'),
      SVC_METRICS_TOKEN_FILE: fileOf('0123456789abcdef\n'),
    })
    expect(config.databaseUrl).toBe('postgres://u:p@db.example/svc')
    expect(config.metricsToken).toBe('0123456789abcdef')
  })

  it.each([
    [{ SVC_DATABASE_URL_FILE: '/nowhere/url' }, /^SVC_DATABASE_URL_FILE cannot be read: ENOENT/],
    [
      { SVC_METRICS_TOKEN: '0123456789abcdef', SVC_METRICS_TOKEN_FILE: '/token' },
      /^SVC_METRICS_TOKEN and SVC_METRICS_TOKEN_FILE are both set/,
    ],
    [
      { SVC_DATABASE_URL_FILE: fileOf('mysql://secret') },
      /^SVC_DATABASE_URL \(from SVC_DATABASE_URL_FILE\) must be a postgres:\/\/ URL$/,
    ],
    [{ SVC_METRICS_TOKEN_FILE: fileOf('') }, /^SVC_METRICS_TOKEN \(from SVC_METRICS_TOKEN_FILE\) must have/],
  ])('%o is refused, and the secret is not repeated', (environment, words) => {
    expect(() => readConfig(environment)).toThrow(words)
  })
})
