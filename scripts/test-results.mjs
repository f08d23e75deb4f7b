/**
 * The result of a run of tests, from the JSON report of vitest or Playwright; null for anything else, or a report without tests.
 * `flaky` names the tests that passed, but not at the first try; they do not count as `passed`.
 */

/** @param {unknown} report of vitest */
export function vitestResults(report) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const isFlaky = ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0
  const withStatus = (...statuses) => tests.filter(({ status }) => statuses.includes(status)).length
  const flaky = tests.filter(isFlaky).map(({ fullName }) => fullName)
  return {
    passed: withStatus('passed') - flaky.length,
    failed: withStatus('failed'),
    skipped: withStatus('pending', 'skipped', 'todo'),
    flaky,
  }
}

/** @param {unknown} report of Playwright */
export function playwrightResults(report) {
  const tests = (report?.suites ?? []).flatMap(testsIn)
  const withStatus = (wanted) => tests.filter(({ status }) => status === wanted)
  return {
    passed: withStatus('expected').length,
    failed: withStatus('unexpected').length,
    skipped: withStatus('skipped').length,
    flaky: withStatus('flaky').map(({ name }) => name),
  }
}

/** The last lines of a run: the name of each flaky test, then `N passed, N failed`, with other counts where there are any. */
export function summaryOf({ passed, failed, skipped, flaky }) {
  const more = [
    ...(flaky.length > 0 ? [`${flaky.length} flaky`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  const names = flaky.map((name) => `flaky, passed at a later try: ${name}`)
  return [...names, [`${passed} passed`, `${failed} failed`, ...more].join(', ')].join('\n')
}

/** The tests of a suite and of those within it. */
function testsIn({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ title, file, tests }) =>
    tests.map(({ status, projectName }) => ({ status, name: `${projectName}, ${file}: ${title}` })),
  )
  return [...own, ...suites.flatMap(testsIn)]
}
