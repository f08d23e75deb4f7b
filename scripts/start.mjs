import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installDependencies } from './dependencies.mjs'
import { run } from './run.mjs'

/** Starts the service and the demo shop, built from what is in this folder, and stops both together. */
const dataDir = resolve(process.env.SVC_DATA_DIR ?? '.data')
const environment = { SVC_LOG_LEVEL: 'warn', ...process.env, SVC_DATA_DIR: dataDir }
const START_TIMEOUT_MS = 60_000

function newestIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Math.max(
    ...entries.map((entry) => statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs),
  )
}

function isBuilt() {
  if (!existsSync('dist/.built')) return false
  const built = statSync('dist/.built').mtimeMs
  const files = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsconfig.sdk-types.json']
  const sources = [...files.map((file) => statSync(file).mtimeMs), ...['src', 'demo', 'build'].map(newestIn)]
  return sources.every((time) => time <= built)
}

const children = []
let isStopping = false

async function stop(code) {
  if (isStopping) return
  isStopping = true
  const ends = children.map(({ child, ended }) => {
    child.kill('SIGTERM')
    return ended
  })
  await Promise.all(ends)
  process.exit(code)
}

/** Starts one of the two; when either ends by itself, so does everything. */
function startChild(file) {
  const child = spawn(process.execPath, [file], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise((done) => {
    child.once('exit', (code) => {
      done()
      void stop(code === 0 ? 0 : 1)
    })
  })
  children.push({ child, ended })
}

async function answers(url) {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

async function waitFor(url) {
  for (let waited = 0; waited < START_TIMEOUT_MS && !isStopping; waited += 50) {
    if (await answers(url)) return
    await sleep(50)
  }
  if (!isStopping) throw new Error(`${url} did not answer in ${START_TIMEOUT_MS / 1000} s`)
}

function announce(demo) {
  console.log(`
  service    ${demo.service_url}
  demo shop  ${demo.shop_url}            pay with 5111 1111 1111 1118, 01/39, 100
  back office  ${demo.shop_url}/back-office

  public key  ${demo.public_key}
  secret key  ${demo.secret_key}
  (kept in ${join(dataDir, 'demo.json')})

  Ctrl-C stops both.
`)
}

process.chdir(resolve(import.meta.dirname, '..'))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0))
try {
  await installDependencies()
  if (!isBuilt()) {
    console.log('building …')
    await run(process.execPath, ['scripts/build.mjs'])
  }
  startChild('dist/service/main.js')
  await waitFor(`http://localhost:${environment.SVC_PORT ?? '8080'}/health`)
  const demoFile = join(dataDir, 'demo.json')
  if (existsSync(demoFile)) {
    const demo = JSON.parse(readFileSync(demoFile, 'utf8'))
    startChild('dist/demo/shop.js')
    await waitFor(demo.shop_url)
    if (!isStopping) announce(demo)
  } else if (!isStopping) {
    console.log(
      'The service runs without a demo merchant (the database is not empty), so there is no demo shop.',
    )
  }
} catch (error) {
  if (!isStopping) console.error(`start: ${error.message}`)
  await stop(1)
}
