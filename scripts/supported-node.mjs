import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
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

/** Whether the Node that this folder is to have is there and runs: it may be of an older checkout, or of another machine. */
function isFetched() {
  const { stdout } = spawnSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' })
  return (stdout || '').trim() === FETCHED.replace('node@', 'v')
}

/** Fetches a Node for this folder, unless it is there. Ends the process in one line where that fails. */
async function fetchNode() {
  if (isFetched()) return
  console.log(
    `Node ${process.versions.node} is too old (${LEAST_MAJOR}.${LEAST_MINOR} is needed): fetching ${FETCHED} into .node/, for this folder alone …`,
  )
  let fault = 'npm could not fetch a newer one'
  try {
    await installNode()
  } catch (error) {
    fault += ` (${error.message})`
  }
  // Where several were started at once, another's may be there by now.
  if (isFetched()) return
  console.error(
    `Node ${LEAST_MAJOR}.${LEAST_MINOR} or newer is needed, this is ${process.versions.node}, and ${fault}: install Node 24 (https://nodejs.org), then run this again.`,
  )
  process.exit(1)
}

/** Each process has npm install into a folder of its own, which is then moved: two npm in one folder take files from each other. */
async function installNode() {
  const own = join(folder, `fetching-${process.pid}`)
  const quiet = [
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    '--loglevel=silent',
  ]
  // The package gets its program by an install script, which many have turned off in their settings.
  const env = { ...process.env, npm_config_ignore_scripts: 'false' }
  mkdirSync(own, { recursive: true })
  try {
    const code = await exitCodeOf('npm', ['install', '--prefix', own, ...quiet, FETCHED], { cwd: own, env })
    if (code !== 0 || isFetched()) return
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    renameSync(join(own, 'node_modules'), join(folder, 'node_modules'))
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
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
  const isOfThisFolder = !relative(folder, process.execPath).startsWith('..')
  if (isSupported() && !isOfThisFolder) return
  await fetchNode()
  const link = join(root, 'node_modules', '.bin', 'node')
  if (existsSync(link)) return
  rmSync(link, { force: true })
  // A relative one leads there also once the folder is moved.
  symlinkSync(relative(dirname(link), join(bin, 'node')), link)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await linkAfterInstall()
