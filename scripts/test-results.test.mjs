import { describe, expect, it } from 'vitest'
import {
  failedFiles,
  playwrightResults,
  summaryOf,
  triedAgain,
  vitestResults,
  withoutFiles,
} from './test-results.mjs'

const nothing = { passed: 0, failed: [], skipped: 0, flaky: [] }

describe('the results of unit tests', () => {
  const test = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages })

  it('name a test that passed at a second try as flaky, not passed', () => {
    const first = [
      test('sells', 'passed'),
      test('refunds', 'passed', ['timed out']),
      test('waits', 'pending'),
    ]
    const second = [test('cancels', 'failed', ['no']), test('captures', 'passed')]
    const report = { testResults: [{ assertionResults: first }, { assertionResults: second }] }
    expect(vitestResults(report)).toEqual({
      passed: 2,
      failed: ['cancels'],
      skipped: 1,
      flaky: ['refunds'],
    })
  })

  it('are none without a report', () => {
    expect(vitestResults(null)).toEqual(nothing)
    expect(failedFiles(null)).toEqual([])
  })

  it('of files that failed, also where they could not be loaded, are left to a run of their own', () => {
    const broken = { name: '/broken.test.ts', status: 'failed', assertionResults: [] }
    const good = { name: '/good.test.ts', status: 'passed', assertionResults: [test('sells', 'passed')] }
    const report = { testResults: [broken, good] }
    expect(failedFiles(report)).toEqual(['/broken.test.ts'])
    expect(vitestResults(report).failed).toEqual(['/broken.test.ts'])
    expect(withoutFiles(report, failedFiles(report))).toEqual({ testResults: [good] })
  })
})

describe('the results of browser tests', () => {
  const spec = (title, status) => ({
    title,
    file: 'pay.spec.ts',
    tests: [{ projectName: 'firefox', status }],
  })

  it('name a flaky test with its browser and file', () => {
    const inner = { specs: [spec('pays twice', 'flaky'), spec('is declined', 'unexpected')] }
    const report = {
      suites: [{ specs: [spec('pays', 'expected'), spec('waits', 'skipped')], suites: [inner] }],
    }
    const flaky = ['firefox, pay.spec.ts: pays twice']
    expect(playwrightResults(report)).toEqual({
      passed: 1,
      failed: ['firefox, pay.spec.ts: is declined'],
      skipped: 1,
      flaky,
    })
  })

  it('are none without a report', () => {
    expect(playwrightResults(null)).toEqual(nothing)
  })
})

describe('the results of a second run, alone', () => {
  it('name what failed before and passes now as flaky', () => {
    const now = { passed: 3, failed: ['waits'], skipped: 1, flaky: [] }
    expect(triedAgain(now, ['pays', 'waits'])).toEqual({
      passed: 2,
      failed: ['waits'],
      skipped: 1,
      flaky: ['pays'],
    })
  })
})

describe('the summary', () => {
  it('says what passed and failed', () => {
    expect(summaryOf({ ...nothing, passed: 12 })).toBe('12 passed, 0 failed')
  })

  it('lists flaky and failed tests by name above its last line, which counts them', () => {
    expect(
      summaryOf({ passed: 12, failed: ['waits'], skipped: 2, flaky: ['pays', 'refunds'] }).split('\n'),
    ).toEqual([
      'flaky, passed at a later try: pays',
      'flaky, passed at a later try: refunds',
      'failed: waits',
      '12 passed, 1 failed, 2 flaky, 2 skipped',
    ])
  })
})
