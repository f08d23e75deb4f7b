import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BILL, NOTICES } from './notices.mjs'
import { run, tool } from '../run.mjs'
import { copySdkTypes } from './sdk-types.mjs'

const folder = 'dist/npm'

/** Entries of the package, and the file with the types of each. */
const ENTRIES = {
  '.': { module: 'widget', types: 'sdk/index' },
  './load': { module: 'load', types: 'sdk/loader/load-sdk' },
  './testing': { module: 'testing', types: 'sdk/test-double/testing' },
  './element': { module: 'element', types: 'sdk/element/index' },
  './react': { module: 'react', types: 'sdk/react/index' },
}

/** Creates `dist/npm`, ready to publish: modules, types and UMD files. Run it after the build of the SDK. */
export async function buildNpmPackage() {
  await rm(folder, { recursive: true, force: true })
  for (const mode of ['npm-es', 'npm-cjs', 'npm-testing'])
    await run(tool('vite'), ['build', '--mode', mode, '--logLevel', 'warn'])
  await copyFile('dist/sdk/widget.umd.min.js', join(folder, 'umd', 'widget.umd.min.js'))
  await copySdkTypes(
    join(folder, 'types'),
    Object.values(ENTRIES).map(({ types }) => types),
  )
  await copyFile('LICENSE', join(folder, 'LICENSE'))
  await copyFile('docs/npm-readme.md', join(folder, 'README.md'))
  await write('umd/package.json', { type: 'commonjs' })
  for (const [path, entry] of Object.entries(ENTRIES)) if (path !== '.') await writeOldEntry(path, entry)
  await write('package.json', await manifest())
}

async function manifest() {
  const { version, license } = JSON.parse(await readFile('package.json', 'utf8'))
  return {
    name: '@svc/widget',
    version,
    description: 'A card form of another origin in your page; it hands back a one-time payment_source.',
    license,
    type: 'module',
    engines: { node: '>=20' },
    sideEffects: ['./element.mjs', './element.cjs'],
    exports: {
      ...Object.fromEntries(Object.entries(ENTRIES).map(([path, entry]) => [path, conditions(entry)])),
      './package.json': './package.json',
    },
    main: './widget.cjs',
    module: './widget.mjs',
    types: './types/sdk/index.d.cts',
    unpkg: './umd/widget.umd.min.js',
    jsdelivr: './umd/widget.umd.min.js',
    files: [
      ...['*.mjs', '*.cjs', 'chunks', 'types', 'umd', '!umd/.*', 'load', 'testing', 'element', 'react'],
      ...[NOTICES, BILL],
    ],
    peerDependencies: { react: '>=16.8' },
    peerDependenciesMeta: { react: { optional: true } },
  }
}

function conditions({ module, types }) {
  return {
    import: { types: `./types/${types}.d.ts`, default: `./${module}.mjs` },
    require: { types: `./types/${types}.d.cts`, default: `./${module}.cjs` },
  }
}

/** Older resolvers without support for `exports` find an entry by its folder. */
async function writeOldEntry(path, { module, types }) {
  await mkdir(join(folder, path), { recursive: true })
  await write(join(path, 'package.json'), {
    type: 'commonjs',
    main: `../${module}.cjs`,
    module: `../${module}.mjs`,
    types: `../types/${types}.d.cts`,
  })
}

async function write(name, content) {
  await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
}
