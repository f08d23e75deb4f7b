import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** npm leaves such out where their registry did not have them, and says nothing: elsewhere the package is then installed without its program. */
it('the lockfile has the programs of every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${name} of ${path}`),
  )
  expect(missing).toEqual([])
})
