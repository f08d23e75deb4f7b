import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exitCodeOf, run } from './run.mjs'

/** Runs the Bruno collection of docs/bruno against the service that `npm start` runs. Its runner has packages of its own. */
process.chdir(resolve(import.meta.dirname, '..'))
await run('npm', ['ci', '--prefix', 'scripts/bruno', '--ignore-scripts', '--no-audit', '--no-fund'])
const demo = JSON.parse(readFileSync(join(process.env.SVC_DATA_DIR ?? '.data', 'demo.json'), 'utf8'))
const env = {
  ...process.env,
  SVC_SERVICE: demo.service_url,
  SVC_PUBLIC_KEY: demo.public_key,
  SVC_SECRET_KEY: demo.secret_key,
  SVC_CLIENT_ID: demo.client_id,
  SVC_CLIENT_SECRET: demo.client_secret,
}
const bru = resolve('scripts/bruno/node_modules/.bin/bru')
process.exitCode = await exitCodeOf(bru, ['run', '--env', 'Local', '--bail', '--noproxy'], {
  cwd: 'docs/bruno',
  env,
})
