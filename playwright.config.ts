import { existsSync } from 'node:fs'
import { chromium, defineConfig, devices } from '@playwright/test'
import type { PlaywrightTestOptions, PlaywrightWorkerOptions, Project } from '@playwright/test'
import { isLong, LONG } from './e2e/long-form.ts'
import { SHOP_URL } from './e2e/world/addresses.ts'

/** As `npm test` chooses it, which installs what is missing: Debian's without windows, else Playwright's own. */
const installed =
  process.env['SVC_TEST_BROWSER'] ??
  ['/usr/bin/chromium-headless-shell', chromium.executablePath()].find((path) => existsSync(path)) ??
  '/usr/bin/chromium'

/** These drive Debian's WebKit by its own driver, as Playwright can't. */
const WEBKIT = /webkit\/.*\.spec\.ts$/

/** What Chromium leaves out: what only Firefox tries, and the pictures that `npm run tour` and `npm run screens` make. */
const NOT_CHROMIUM = [WEBKIT, /dashboard.firefox\.spec/, /tour\.spec/, /screens\.spec/]
const TOUR: Project<PlaywrightTestOptions, PlaywrightWorkerOptions> = {
  name: 'tour',
  testMatch: /tour\.spec/,
  use: devices['Desktop Chrome'],
}

/** The kept pictures of the card form and the checkout: e2e/screens/README.md. */
const SCREENS: Project<PlaywrightTestOptions, PlaywrightWorkerOptions> = {
  name: 'screens',
  testMatch: /screens\.spec/,
  snapshotPathTemplate: '{testDir}/screens/kept/{arg}{ext}',
  expect: { timeout: 20_000, toHaveScreenshot: { animations: 'disabled', caret: 'hide', maxDiffPixels: 20 } },
  use: devices['Desktop Chrome'],
}

const firefox = '/usr/bin/firefox-esr'

/** Kept releases of the SDK are tried in Chromium alone. */
const KEPT_RELEASES = /with the SDK v/

/** Left to the long form: the tests with its tag. */
const LONG_TESTS = new RegExp(LONG)

/** Debian's Firefox can't be told to run no scripts. */
const WITHOUT_SCRIPTS = /without scripts/

/**
 * In the tests of every change what differs most between browsers; `npm run e2e:firefox` runs all that can run there. As what a
 * text is read is our own code, whatever the browser: tables of texts (`put in at once`, `with the month`) are left to Chromium,
 * while keys, the caret, undo and the error of a field that is left are tried in both.
 */
const inFirefox =
  process.env['FIREFOX_SPECS'] === 'all'
    ? {
        testMatch:
          /(?:probes|accessibility-tree|typing|form.address|nothing-stays|keeps-typing|at-once|element|methods|hostile-globals|hostile-page|early-frame|page-form|bank-step|authentication.(?:checkout|shop|test-cards)|e2e.bank.bank|everyone|e2e.pay|e2e.docs|dashboard.firefox)\.spec/,
        grepInvert: [KEPT_RELEASES, WITHOUT_SCRIPTS],
      }
    : {
        // To start it takes as long as two of these tests.
        workers: 1,
        testMatch: /(?:form.typing|at-once|element|e2e.pay)\.spec/,
        grepInvert: [
          KEPT_RELEASES,
          LONG_TESTS,
          /put in at once|with the month|four digits|fills everything|undo and redo|usual ways|shadow root|follows its language/,
        ],
      }

/**
 * Debian's Firefox where it is installed; fission off, as key presses do not reach a frame of another site with it. Not
 * there: networks.spec.ts, as a request that was held can't be sent on by `route.fetch()`; the back office's own tests, which
 * Chromium tries.
 */
const firefoxProject: Project<PlaywrightTestOptions, PlaywrightWorkerOptions> = {
  name: 'firefox',
  ...inFirefox,
  testIgnore: WEBKIT,
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: {
      executablePath: firefox,
      args: [],
      // No page is kept for Back either, as in Playwright's Chromium: when one is shown again, no driver is told.
      firefoxUserPrefs: { 'fission.autostart': false, 'browser.sessionhistory.max_total_viewers': 0 },
    },
  },
}

const isInCi = process.env['CI'] !== undefined

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e/results/artefacts',
  globalSetup: './e2e/world/start-world.ts',
  // Much of a test is waiting: for the browser, the network, the service.
  workers: 2,
  // CI's machine may be busy, or slow; a test that needs a second try there is listed as flaky.
  retries: isInCi ? 1 : 0,
  timeout: isInCi ? 120_000 : 60_000,
  expect: { timeout: isInCi ? 15_000 : 5000 },
  reporter: 'list',
  grepInvert: isLong ? [] : [LONG_TESTS],
  use: {
    baseURL: SHOP_URL,
    // A page of the same browser from test to test, emptied between them: a new one each costs a quarter more.
    reuseContext: true,
    screenshot: 'only-on-failure',
    // A trace costs a quarter of the time: only where a test is tried again.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: installed,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // Pages are painted in the browser's own process: one less to start and to talk to.
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'chromium', testIgnore: NOT_CHROMIUM, use: devices['Desktop Chrome'] },
    ...(existsSync(firefox) ? [firefoxProject] : []),
    { name: 'webkit', testMatch: WEBKIT },
    ...(process.env['TOUR'] === undefined ? [] : [TOUR]),
    ...(process.env['SCREENS'] === undefined ? [] : [SCREENS]),
  ],
})
