import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BILL, NOTICES } from './notices.mjs'

const folder = 'dist/npm'

/** What may be imported beside the package itself, each a module of its name. */
const ENTRIES = ['load', 'testing', 'element', 'react']

/** Makes `dist/npm`, where its modules are, ready to publish. Run it after the build of the SDK. */
export async function completeNpmPackage() {
  await copyFile('dist/sdk/widget.umd.min.js', join(folder, 'umd', 'widget.umd.min.js'))
  await copyFile('LICENSE', join(folder, 'LICENSE'))
  await copyFile('docs/npm-readme.md', join(folder, 'README.md'))
  await write('umd/package.json', { type: 'commonjs' })
  for (const name of ENTRIES) await writeOldEntry(name)
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
      '.': modulesOf('widget'),
      ...Object.fromEntries(ENTRIES.map((name) => [`./${name}`, modulesOf(name)])),
      './package.json': './package.json',
    },
    main: './widget.cjs',
    module: './widget.mjs',
    types: './widget.d.cts',
    unpkg: './umd/widget.umd.min.js',
    jsdelivr: './umd/widget.umd.min.js',
    files: ['*.mjs', '*.cjs', '*.d.mts', '*.d.cts', 'umd', '!umd/.*', ...ENTRIES, NOTICES, BILL],
    peerDependencies: { react: '>=16.8' },
    peerDependenciesMeta: { react: { optional: true } },
  }
}

/** The types of each lie beside it. */
const modulesOf = (name) => ({ import: `./${name}.mjs`, require: `./${name}.cjs` })

/** Older resolvers without support for `exports` find an entry by its folder. */
async function writeOldEntry(name) {
  await mkdir(join(folder, name), { recursive: true })
  await write(join(name, 'package.json'), {
    type: 'commonjs',
    main: `../${name}.cjs`,
    module: `../${name}.mjs`,
    types: `../${name}.d.cts`,
  })
}

async function write(name, content) {
  await writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
}
