import { defineConfig } from 'tsdown'
import type { Rolldown, UserConfig } from 'tsdown'
import { bundledPackages } from './build/bundled-packages.ts'
import { define } from './build/constants.ts'

const entry = {
  widget: 'src/sdk/index.ts',
  testing: 'src/sdk/test-double/testing.ts',
  element: 'src/sdk/element/index.ts',
  react: 'src/sdk/react/index.ts',
  load: 'src/sdk/loader/load-sdk.ts',
}

/** A page has no types of Node's. */
const pageTypes = { compilerOptions: { types: ['vite/client'] } }

/** Declarations are bundled as code, and what the bundler added to that would be shipped, imported by nobody. */
const withoutLeftover: Rolldown.Plugin = {
  name: 'without-leftover',
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const code = chunks.filter(({ fileName }) => !/\.d\.[cm]?ts$/.test(fileName))
      for (const { fileName, isEntry } of code)
        if (!isEntry && !code.some(({ imports }) => imports.includes(fileName)))
          Reflect.deleteProperty(bundle, fileName)
    },
  },
}

const common: UserConfig = {
  target: 'es2022',
  platform: 'neutral',
  dts: pageTypes,
  hash: false,
  // What they contain is written down for the notices.
  deps: { onlyBundle: false },
  inputOptions: { checks: { bundlerTimings: false, emptyImportMeta: false } },
}

/** What is published on npm, and the types of an SDK release: modules with their declarations beside them. */
export default defineConfig([
  {
    ...common,
    name: 'npm',
    entry,
    outDir: 'dist/npm',
    format: ['es', 'cjs'],
    fixedExtension: true,
    deps: { ...common.deps, neverBundle: ['react'] },
    // A merchant bundles them: where that bundle comes from says nothing about where the card form is.
    define: { ...define, 'import.meta.url': '""', 'document.currentScript': 'null' },
    // The components work in a browser only; so pages that a server renders may import them from any file.
    banner: ({ fileName }) => (/^react\.[cm]js$/.test(fileName) ? "'use client'" : undefined),
    plugins: [withoutLeftover, bundledPackages('npm')],
  },
  {
    ...common,
    name: 'npm-testing',
    entry: { testing: entry.testing },
    dts: false,
    outDir: 'dist/npm/umd',
    format: 'umd',
    globalName: 'svc',
    outputOptions: { entryFileNames: '[name].umd.js' },
    minify: true,
    define,
    plugins: [bundledPackages('npm-testing')],
  },
  {
    ...common,
    name: 'release-types',
    entry: { 'sdk/index': entry.widget, 'sdk/loader/load-sdk': entry.load },
    outDir: 'dist/sdk/types',
    dts: { ...pageTypes, emitDtsOnly: true },
    fixedExtension: false,
    define,
  },
  {
    ...common,
    name: 'npm-server',
    dts: { compilerOptions: { stripInternal: true } },
    entry: { server: 'src/server-client/index.ts' },
    outDir: 'dist/npm-server',
    platform: 'node',
    // A merchant's server may have an older Node.
    target: 'node20',
    fixedExtension: false,
    define,
    plugins: [bundledPackages('npm-server')],
  },
])
