import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const file = join(import.meta.dirname, 'refuse-old-node.ts')

it.each([
  ['20.20.2', 1],
  ['22.18.9', 1],
  ['22.19.0', 0],
  ['24.0.0', 0],
  ['26.3.1', 0],
])('on Node %s where 22.19 is needed a program ends with %s', (version, code) => {
  const program = `import { refuseOldNode } from '${file}'; refuseOldNode('${version}', '22.19')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  expect(status).toBe(code)
  const words = `svc: Node 22.19 or newer is needed, this is ${version}: install Node 24 (https://nodejs.org).\n`
  expect(stderr.replace(/^\(.*\n/gm, '')).toBe(code === 0 ? '' : words)
})
