/**
 * The result of a run of tests, from the JSON report of vitest or Playwright; null for anything else, or a report without tests.
 * `failed` and `flaky` name tests; those that passed, but not at the first try, are flaky and do not count as `passed`.
 */

/** @param {unknown} report of vitest */
export function vitestResults(report) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const named = (isWanted) => tests.filter(isWanted).map(({ fullName }) => fullName)
  const flaky = named(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
  return {
    passed: named(({ status }) => status === 'passed').length - flaky.length,
    failed: [
      ...named(({ status }) => status === 'failed'),
      ...files.filter(isBroken).map(({ name }) => name),
    ],
    skipped: named(({ status }) => ['pending', 'skipped', 'todo'].includes(status)).length,
    flaky,
  }
}

/** Whether a file failed itself, as it could not be loaded for example, and not by one of its tests. */
const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((one) => one.status !== 'failed')

/** The files of vitest's report in which something failed, the file itself maybe: their paths. */
export function failedFiles(report) {
  return (report?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name)
}

/** Vitest's report without some files. */
export function withoutFiles(report, paths) {
  return { testResults: (report?.testResults ?? []).filter(({ name }) => !paths.includes(name)) }
}

/** @param {unknown} report of Playwright */
export function playwrightResults(report) {
  const tests = (report?.suites ?? []).flatMap(testsIn)
  const withStatus = (wanted) => tests.filter(({ status }) => status === wanted).map(({ name }) => name)
  return {
    passed: withStatus('expected').length,
    failed: withStatus('unexpected'),
    skipped: withStatus('skipped').length,
    flaky: withStatus('flaky'),
  }
}

/** The results of tests that were tried again, of which some had failed before: those that passed now are flaky. */
export function triedAgain({ passed, failed, skipped, flaky }, failedBefore) {
  const late = failedBefore.filter((name) => !failed.includes(name) && !flaky.includes(name))
  return { passed: Math.max(0, passed - late.length), failed, skipped, flaky: [...flaky, ...late] }
}

/**
 * The last lines of a run: the name of each flaky and failed test, then `N passed, N failed`, with other counts where there are any.
 */
export function summaryOf({ passed, failed, skipped, flaky }) {
  const more = [
    ...(flaky.length > 0 ? [`${flaky.length} flaky`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return [
    ...flaky.map((name) => `flaky, passed at a later try: ${name}`),
    ...failed.map((name) => `failed: ${name}`),
    [`${passed} passed`, `${failed.length} failed`, ...more].join(', '),
  ].join('\n')
}

/** The tests of a suite and of those within it. */
function testsIn({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ status, projectName }) => ({ status, name: `${projectName}, ${file}: ${title}` })),
  )
  return [...own, ...suites.flatMap(testsIn)]
}
