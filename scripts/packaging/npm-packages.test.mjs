import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const importsOf = (file) => ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles

describe.skipIf(!existsSync('dist/.built'))('what is built for npm', () => {
  it.each(['dist/npm', 'dist/npm-server'])('%s imports nothing but what it depends on', (folder) => {
    const { peerDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const imported = readdirSync(folder, { recursive: true })
      .filter((name) => /\.[cm]?[jt]s$/.test(name))
      .flatMap((name) => importsOf(join(folder, name)))
      .map(({ fileName }) => fileName)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    expect([...new Set(imported)]).toEqual(Object.keys(peerDependencies))
  })
})
