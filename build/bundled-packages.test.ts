import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { build } from 'vite'
import { bundledPackages } from './bundled-packages.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-bundled-'))
afterAll(() => rmSync(folder, { recursive: true }))

function install(name: string, code: string): void {
  mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  writeFileSync(
    join(folder, 'node_modules', name, 'package.json'),
    JSON.stringify({ name, main: 'index.js' }),
  )
  writeFileSync(join(folder, 'node_modules', name, 'index.js'), code)
}

it('packages whose code is in a build are listed, also by and by; what was shaken off is not', async () => {
  install('@scope/used', "export { inner } from 'inner'; export const used = () => document.title")
  install('inner', 'export const inner = () => document.body')
  install('unused', 'export const unused = () => 1')
  const entry = join(folder, 'entry.js')
  writeFileSync(
    entry,
    "import { used, inner } from '@scope/used'; import { unused } from 'unused'; console.log(used(), inner())",
  )
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [bundledPackages('test')],
    build: { outDir: join(folder, 'dist'), lib: { entry, formats: ['es'], fileName: () => 'out.js' } },
  })
  const listed = readFileSync(join(folder, 'dist', '.packages.test.json'), 'utf8')
  expect(listed).toContain('node_modules/@scope/used"')
  expect(listed).toContain('node_modules/inner"')
  expect(listed).not.toContain('unused"')
})
