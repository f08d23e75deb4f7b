import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { exitCodeOf, run } from './run.mjs'

/**
 * Runs the Bruno collection of docs/bruno against the service that `npm start` runs; with `--own`, against one that it starts for that on an
 * empty database. Its runner has packages of its own.
 */
process.chdir(resolve(import.meta.dirname, '..'))
await run('npm', ['ci', '--prefix', 'scripts/bruno', '--ignore-scripts', '--no-audit', '--no-fund'])
process.exitCode = process.argv.includes('--own')
  ? await withOwnService(runCollection)
  : await runCollection(process.env.SVC_DATA_DIR ?? '.data')

function runCollection(dataDir) {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const env = {
    ...process.env,
    SVC_SERVICE: demo.service_url,
    SVC_PUBLIC_KEY: demo.public_key,
    SVC_SECRET_KEY: demo.secret_key,
    SVC_CLIENT_ID: demo.client_id,
    SVC_CLIENT_SECRET: demo.client_secret,
  }
  const bru = resolve('scripts/bruno/node_modules/.bin/bru')
  return exitCodeOf(bru, ['run', '--env', 'Local', '--bail', '--noproxy'], { cwd: 'docs/bruno', env })
}

async function withOwnService(use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bruno-'))
  const port = String(Number(process.env.SVC_TEST_FIRST_PORT ?? '18080') + 60)
  const env = {
    ...process.env,
    SVC_DATA_DIR: dataDir,
    SVC_PORT: port,
    SVC_DASHBOARD_PORT: '0',
    SVC_LOG_LEVEL: 'warn',
  }
  const service = spawn(process.execPath, ['dist/service/sandbox.js'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(service, 'exit')
  try {
    const isReady = await Promise.race([once(service, 'message').then(() => true), ended.then(() => false)])
    return isReady ? await use(dataDir) : 1
  } finally {
    service.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
}
