import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Many machines have an older Node than this needs. There the commands go on with a Node that npm's package `node` brings, which
 * lies in `.node/` and is for this folder alone. This file itself runs on old ones.
 */
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, '.node')
const bin = join(folder, 'node_modules', '.bin')
const [, LEAST_MAJOR, LEAST_MINOR] = /(\d+)\.(\d+)/.exec(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node,
)
const FETCHED = 'node@24.21.0'

function isSupported() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > Number(LEAST_MAJOR) || (major === Number(LEAST_MAJOR) && minor >= Number(LEAST_MINOR))
}

function exitCodeOf(command, parameters, options) {
  const child = spawn(command, parameters, { stdio: 'inherit', ...options })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((settle, reject) => {
    child.once('error', reject)
    child.once('close', (code) => settle(code ?? 1))
  })
}

/** Fetches a Node for this folder, unless it is there. Ends the process in one line where that fails. */
async function fetchNode() {
  if (existsSync(join(bin, 'node'))) return
  console.log(
    `Node ${process.versions.node} is too old (${LEAST_MAJOR}.${LEAST_MINOR} is needed): fetching ${FETCHED} into .node/, for this folder alone …`,
  )
  const quiet = [
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    '--loglevel=silent',
  ]
  mkdirSync(folder, { recursive: true })
  const code = await exitCodeOf('npm', ['install', '--prefix', folder, ...quiet, FETCHED], { cwd: folder })
  if (code === 0 && existsSync(join(bin, 'node'))) return
  console.error(
    `Node ${LEAST_MAJOR}.${LEAST_MINOR} or newer is needed, this is ${process.versions.node}, and npm could not fetch a newer one: install Node 24 (https://nodejs.org), then run this again.`,
  )
  process.exit(1)
}

/** Returns on a Node that is new enough; on an older one the script starts anew on a fetched Node, with whose exit code the process ends. */
export async function useSupportedNode() {
  if (isSupported()) return
  await fetchNode()
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
  // A script that watches for the end of its parent sees it by the end of this process.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(1), 500).unref()
  process.exit(await exitCodeOf(join(bin, 'node'), process.argv.slice(1), { env }))
}

/** As npm puts `node_modules/.bin` first, this Node runs all commands of package.json (`npm run unit` …). */
async function linkAfterInstall() {
  const isFetched = !relative(folder, process.execPath).startsWith('..')
  if (isSupported() && !isFetched) return
  await fetchNode()
  const link = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(link)) symlinkSync(join(bin, 'node'), link)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await linkAfterInstall()
