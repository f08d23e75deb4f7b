import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'svc-old-node-'))
afterAll(() => rmSync(root, { recursive: true }))

const { FETCHED } = /FETCHED = 'node@(?<FETCHED>[\d.]+)'/.exec(
  readFileSync('scripts/supported-node.mjs', 'utf8'),
).groups
const fakeNode = (version) =>
  `#!/bin/sh\n[ "$1" = --version ] && echo v${version} || { shift; echo "on the fetched Node: $*"; }\n`

/** Fetches a Node as npm does, which takes a while, and fails where another npm works on the same folder or no script may run. */
const FAKE_NPM = `#!/bin/sh
echo "$*" >> "$NPM_CALLS"
[ "$npm_config_ignore_scripts" = true ] && exit 0
mkdir node_modules || exit 1
sleep 0.4
mkdir -p node_modules/node/bin node_modules/.bin
printf '%s' '${fakeNode(FETCHED)}' > node_modules/node/bin/node
chmod 755 node_modules/node/bin/node
ln -s ../node/bin/node node_modules/.bin/node
`
const SAID = /^Node [\d.]+ is too old \(99\.0 is needed\): fetching node@[\d.]+ into \.node\/, .*\n/

let folder
beforeEach(() => {
  folder = mkdtempSync(join(root, 'with space '))
  write('package.json', JSON.stringify({ engines: { node: '>=99.0' } }))
  write(
    'go.mjs',
    "import { useSupportedNode } from './scripts/supported-node.mjs'\nawait useSupportedNode()\n",
  )
  cpSync('scripts/supported-node.mjs', join(folder, 'scripts/supported-node.mjs'))
  write('bin/npm', FAKE_NPM, 0o755)
  write('npm-calls', '')
})

function write(path, words, mode = 0o644) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), words)
  chmodSync(join(folder, path), mode)
}

const timesFetched = () => readFileSync(join(folder, 'npm-calls'), 'utf8').split('\n').length - 1

/** Runs a script of the folder, as one that Node of this process is too old for. */
async function run(script, parameters = [], env = {}) {
  const child = spawn(process.execPath, [join(folder, script), ...parameters], {
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, NPM_CALLS: join(folder, 'npm-calls'), ...env },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { stdout, stderr, code }
}
const go = (parameters, env) => run('go.mjs', parameters, env)

describe('a script on a Node that is too old', () => {
  it('fetches a newer one, says so in one line, and goes on with it', async () => {
    const { stdout, stderr, code } = await go(['a b'])
    expect(stdout).toMatch(SAID)
    expect(stdout.replace(SAID, '')).toBe('on the fetched Node: a b\n')
    expect([stderr, code]).toEqual(['', 0])
    expect(readdirSync(join(folder, '.node'))).toEqual(['node_modules'])
  })

  it('fetches none the second time', async () => {
    await go()
    expect(await go()).toEqual({ stdout: 'on the fetched Node: \n', stderr: '', code: 0 })
    expect(timesFetched()).toBe(1)
  })

  it('does so with others at once', async () => {
    const ends = await Promise.all([go(), go(), go()])
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  })

  it('does so where npm runs no install scripts', async () => {
    expect(await go([], { npm_config_ignore_scripts: 'true' })).toMatchObject({ code: 0 })
  })

  it.each([
    ['of another version', fakeNode('20.0.0'), 0o755],
    ['that is broken', 'no program', 0o644],
    ['of another machine', '\u007fELF', 0o755],
  ])('fetches one in place of one %s', async (_, words, mode) => {
    write('.node/node_modules/.bin/node', words, mode)
    const { stdout, code } = await go()
    expect(stdout.replace(SAID, '')).toBe('on the fetched Node: \n')
    expect([timesFetched(), code]).toEqual([1, 0])
  })

  it.each([
    ['npm fails', () => write('bin/npm', '#!/bin/sh\nexit 1\n', 0o755)],
    ['there is no npm', () => rmSync(join(folder, 'bin/npm')), { PATH: '/nowhere' }],
    ['the folder can not be written', () => write('.node', 'a file in the way')],
  ])('ends in one line where %s', async (_, prepare, env) => {
    prepare()
    const { stderr, code } = await go([], env)
    expect(stderr).toMatch(/^Node 99\.0 or newer is needed, this is .*: install Node 24 .*\n$/)
    expect(code).toBe(1)
  })
})

describe('after npm has installed', () => {
  it('commands run on the fetched Node, also once the folder is moved', async () => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    await run('scripts/supported-node.mjs')
    renameSync(folder, `${folder}moved`)
    folder = `${folder}moved`
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(true)
    expect(await run('scripts/supported-node.mjs')).toMatchObject({ stderr: '', code: 0 })
  })

  it('nothing is done where only what is built was copied, without scripts', () => {
    const copied = mkdtempSync(join(root, 'copied '))
    cpSync('package.json', join(copied, 'package.json'))
    const { status, stderr } = spawnSync('npm', ['run', 'postinstall'], { cwd: copied, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})
