import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { installDependencies, refuseWithoutTools } from './dependencies.mjs'
import { isSecret, run } from './run.mjs'
import { useSupportedNode } from './supported-node.mjs'

/** Starts the service and the demo shop, built from what is in this folder, and stops both together. */
const dataDir = resolve(process.env.SVC_DATA_DIR ?? '.data')
const environment = { SVC_LOG_LEVEL: 'warn', ...process.env, SVC_DATA_DIR: dataDir }

/** The shop belongs to a merchant, so it gets none of the service's keys, tokens and passwords. */
const shopEnvironment = Object.fromEntries(
  Object.entries(environment).filter(
    ([name]) =>
      !(name.startsWith('SVC_') || isSecret(name)) || name === 'SVC_DEMO_PORT' || name === 'SVC_DATA_DIR',
  ),
)

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
  const files = ['package.json', 'package-lock.json', 'vite.config.ts', 'tsdown.config.ts']
  const sources = [
    ...files.map((file) => statSync(file).mtimeMs),
    ...['src', 'demo', 'build', 'docs'].map(newestIn),
  ]
  return sources.every((time) => time <= built)
}

const children = []
let isStopping = false

async function stop(code) {
  if (isStopping) return new Promise(() => {})
  isStopping = true
  const ends = children.map(({ child, ended }) => {
    child.kill('SIGTERM')
    return ended
  })
  await Promise.all(ends)
  process.exit(code)
}

/** Starts a program and waits until it is ready. If either program ends, both are stopped. */
function startChild(file, env) {
  const child = spawn(process.execPath, [file], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => stop(code === 0 ? 0 : 1))
  children.push({ child, ended: once(child, 'exit') })
  return Promise.race([once(child, 'message'), ended])
}

/** The shell that npm starts passes no signals on, so its end is the signal to stop. */
function stopWithParent() {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) void stop(0)
  }, 500).unref()
}

function announce(demo) {
  const { url, email, password } = demo.dashboard ?? { url: '–' }
  console.log(`
  service      ${demo.service_url}
  demo shop    ${demo.shop_url}    pay with 5111 1111 1111 1118, 01/39, 100
               or with 4970 1100 0000 1011, whose bank asks for a code: 1234
  back office  ${demo.shop_url}/back-office
  dashboard    ${url}${email === undefined ? '' : `    sign in as ${email}, ${password}`}

  public key   ${demo.public_key}
  secret key   ${demo.secret_key}    (both in ${join(dataDir, 'demo.json')})
  database     ${environment.SVC_DATABASE_URL === undefined ? resolve(dataDir, readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim()) : 'SVC_DATABASE_URL'}

  Ctrl-C stops both.
`)
}

await useSupportedNode()
process.chdir(resolve(import.meta.dirname, '..'))
stopWithParent()
// A reader that has gone, as `head` does, stops nothing.
process.stdout.on('error', () => undefined)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0))
try {
  await installDependencies()
  if (!isBuilt()) {
    refuseWithoutTools()
    console.log('building …')
    await run(process.execPath, ['scripts/build.mjs'])
  }
  await startChild('dist/service/sandbox.js', environment)
  const demoFile = join(dataDir, 'demo.json')
  if (existsSync(demoFile)) {
    await startChild('dist/demo/shop.js', shopEnvironment)
    announce(JSON.parse(readFileSync(demoFile, 'utf8')))
  } else {
    console.log(
      'The service runs without a demo shop: its database is not empty, and demo.json is not there.',
    )
  }
} catch (error) {
  if (!isStopping) console.error(`start: ${error.message}`)
  await stop(1)
}
