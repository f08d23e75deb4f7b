import { availableParallelism } from 'node:os'
import { mergeConfig, type UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { bundledPackages } from './build/bundled-packages.ts'
import { define, version } from './build/constants.ts'
import { AUTHENTICATION, CHECKOUT, FRAME } from './build/document-kinds.ts'
import { projects } from './build/test-projects.ts'
import { frameDocument } from './build/frame-document.ts'
import { browserScripts } from './build/browser-scripts.ts'
import { markdownPages } from './build/markdown-pages.ts'
import { nodeBuilds } from './build/node-builds.ts'
import { oneFileAtStart } from './build/one-file-at-start.ts'
import { precompressed } from './build/precompressed.ts'
import type { DocumentKind } from './build/frame-document.ts'

/** A document that is shown in a frame; all of them lie in one folder. */
function framedBuild(input: string, kind: DocumentKind): UserConfig {
  return {
    define,
    plugins: [frameDocument(kind, `/sdk/v${version}/THIRD-PARTY-NOTICES.txt`)],
    build: {
      outDir: 'dist/frame',
      emptyOutDir: kind.name === 'frame',
      cssCodeSplit: false,
      cssTarget: 'chrome123', // theme.css asks by @supports what a browser knows; nothing is to be emulated
      target: 'es2022',
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  }
}

/** The merchant's browser app: a document, and its scripts and styles in files whose names tell their content. */
const dashboardBuild: UserConfig = {
  root: 'src/dashboard',
  plugins: [precompressed()],
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: 'chrome123', // as it is written: its colours by light-dark() are not to be emulated
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Few files: a browser asks for six at a time, and each turn costs a round trip.
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: oneFileAtStart } },
  },
}

/** The script of the document in which the dashboard previews the card form. */
const previewBuild: UserConfig = {
  build: {
    outDir: 'dist/preview',
    target: 'es2022',
    lib: { entry: 'src/preview/main.ts', name: 'preview', formats: ['iife'], fileName: () => 'preview.js' },
  },
}

const builds: Record<string, UserConfig> = {
  sdk: {
    define,
    build: {
      outDir: 'dist/sdk',
      target: 'es2022',
      lib: {
        entry: 'src/sdk/index.ts',
        name: 'svc',
        formats: ['umd', 'es'],
        fileName: (format) => (format === 'umd' ? 'widget.umd.min.js' : 'widget.mjs'),
      },
      rolldownOptions: {
        // Minified for the ES module too, which a page loads as it is. In the UMD file the script element
        // tells where it came from, so an empty import.meta is what is wanted there.
        output: {
          minify: true,
          generatedCode: { symbols: false },
          // The UMD wrapper would hand `svc` to an AMD loader (RequireJS) alone, or to a page's elements that are called
          // `exports` and `module`: it sees neither, so `svc` is global in every page.
          banner: ({ fileName }) => (fileName.endsWith('.mjs') ? '' : '(function(define,exports,module){'),
          footer: ({ fileName }) => (fileName.endsWith('.mjs') ? '' : '})();'),
          // Which lies beside it in a release, and at the top of the npm package.
          postBanner: '/*! Licences: THIRD-PARTY-NOTICES.txt */',
        },
        checks: { emptyImportMeta: false },
      },
    },
  },
  loader: {
    build: {
      outDir: 'dist/sdk',
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: 'src/sdk/loader/load-sdk.ts', formats: ['es'], fileName: () => 'load-sdk.mjs' },
      rolldownOptions: { output: { minify: true } },
    },
  },
  frame: framedBuild('src/frame/main.tsx', FRAME),
  checkout: framedBuild('src/frame/checkout/main.tsx', CHECKOUT),
  authentication: framedBuild('src/frame/authentication/main.tsx', AUTHENTICATION),
  dashboard: dashboardBuild,
  preview: previewBuild,
  ...nodeBuilds(define),
}

/** Nobody who builds this has to look into how long a plugin took. */
const quiet: UserConfig = { build: { rolldownOptions: { checks: { bundlerTimings: false } } } }

/** Of a build by its mode; of tests, whose mode is none of them. */
function configOf(mode: string): UserConfig {
  const build = builds[mode]
  if (build === undefined) return { define, plugins: [markdownPages(), browserScripts()] }
  return mergeConfig(build, { plugins: [bundledPackages(mode)] })
}

export default defineConfig(({ mode }) => ({
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ...mergeConfig(configOf(mode), quiet),
  test: {
    // CI's machine may be busy; a test that needs a second try there is listed in its output.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // One for each processor: much of the time is PostgreSQL's, or a wait.
    maxWorkers: availableParallelism(),
    // A worker keeps its modules from file to file: to load them for each anew takes most of the processor's time.
    isolate: false,
    // V8's own settings are for programs that run for long: in a worker, which lives for minutes, to collect young objects so often costs time.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    projects,
  },
}))
