import type { TestProjectInlineConfiguration } from 'vitest/config'

/**
 * Tests that need a process in which nothing is loaded yet: a PKCS #11 library keeps the settings that it found when it was
 * loaded, and the tests of statements replace a module that every store loads.
 */
const ISOLATED_TESTS = [
  'src/service/platform/vault/key-stores/**/*.test.ts',
  'src/service/{statements,plans}.test.ts',
]

/** Code that merchants use in their own tests, many of which run in jsdom: tested there as well as in happy-dom. */
const IN_JSDOM_TOO = ['src/sdk/{react,test-double,element}/*.test.ts']

/** The projects of vitest, one for the tests of each part. */
export const projects: TestProjectInlineConfiguration[] = [
  {
    extends: true,
    test: {
      name: 'node',
      include: [
        'src/{contract,card,docs}/**/*.test.ts',
        '{build,demo,docs,proofs}/**/*.test.ts',
        'scripts/**/*.test.mjs',
      ],
      // Some start programs, which takes seconds beside all other tests.
      testTimeout: 60_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'service',
      include: ['src/{service,server-client}/**/*.test.ts'],
      exclude: ISOLATED_TESTS,
      globalSetup: ['src/service/testing/test-cluster.ts'],
      testTimeout: 60_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'attack',
      include: ['attack/**/*.test.ts'],
      globalSetup: ['src/service/testing/test-cluster.ts'],
      // `npm run attack` runs whole tables, some of which take minutes.
      testTimeout: process.env['ATTACK'] === 'full' ? 1_800_000 : 60_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'service, isolated',
      include: ISOLATED_TESTS,
      isolate: true,
      globalSetup: ['src/service/testing/test-cluster.ts'],
      testTimeout: 20_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'browser',
      environment: 'happy-dom',
      setupFiles: ['src/frame/testing/usual-rendering.ts'],
      // Otherwise happy-dom follows links before the page's own listeners get the click.
      environmentOptions: { happyDOM: { settings: { navigation: { disableMainFrameNavigation: true } } } },
      include: ['src/{sdk,frame,dashboard,preview}/**/*.test.{ts,tsx}'],
      // The longest take two seconds alone, and more beside all other tests.
      testTimeout: 20_000,
    },
  },
  {
    extends: true,
    test: {
      name: 'jsdom',
      environment: 'jsdom',
      include: IN_JSDOM_TOO,
      testTimeout: 20_000,
    },
  },
]
