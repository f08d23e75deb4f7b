import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Prints how the code is split into files, for `src` and for all folders of code: `npm run structure`. With `-- --list` it
 * also names the small files that only one other file imports, and the fullest folders.
 */
const FOLDERS = ['src', 'attack', 'bench', 'build', 'demo', 'e2e', 'proofs', 'scripts']
const SMALL = 25
const isCode = (path) => /\.(?:tsx?|mjs|js)$/.test(path)
const isTest = (path) => /\.(?:test|spec)\.tsx?$|\/testing\//.test(path)

/** Whether the file is generated: such a file may have any length. */
const isGenerated = ({ text }) => text.startsWith('// Generated, ')

const files = FOLDERS.flatMap(filesIn)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter((file) => !isGenerated(file))
// Importers in `e2e` are tests themselves; elsewhere imports by tests do not count.
const importers = countImporters(files.filter(({ path }) => !isTest(path) || path.startsWith('e2e/')))

for (const [name, part] of [
  ['src', files.filter(({ path }) => path.startsWith('src/'))],
  ['all', files],
]) {
  const sources = part.filter(({ path }) => !isTest(path))
  const lines = sources.map(linesOf).sort((a, b) => a - b)
  const small = sources.filter((file) => linesOf(file) < SMALL && importers.get(file.path) === 1)
  const folders = fullestFirst(sources)
  console.log(`${name}: ${sources.length} files, and ${part.length - sources.length} of tests`)
  console.log(
    `  lines of a file: median ${quantile(lines, 0.5)}, p90 ${quantile(lines, 0.9)}, most ${lines.at(-1)}`,
  )
  console.log(`  files under ${SMALL} lines with one importer: ${small.length}`)
  console.log(`  most files side by side: ${folders[0].join(', ')}`)
  if (process.argv.includes('--list')) {
    for (const { path } of small) console.log(`    ${path}`)
    for (const [folder, count] of folders.slice(0, 5)) console.log(`    ${folder}: ${count}`)
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => isCode(path) && !path.includes('node_modules'))
}

function linesOf({ text }) {
  return text.split('\n').length - 1
}

/** How many of these files import each path. Declarations of types import as code does. */
function countImporters(sources) {
  const counts = new Map()
  for (const { path, text } of sources) {
    const names = [...text.matchAll(/(?:from|import\(?) ?'(\.{1,2}\/[^']+)'/g)]
    for (const target of new Set(names.map(([, name]) => join(dirname(path), name))))
      counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return counts
}

/** The quantile of a sorted list. */
function quantile(sorted, share) {
  return sorted[Math.ceil(sorted.length * share) - 1]
}

function fullestFirst(sources) {
  const counts = new Map()
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
