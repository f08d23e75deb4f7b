/**
 * Mutation testing (npm run mutation): the rules that decide about money and keys are changed in every small way, and a
 * test has to notice. Only pure tests are run, so it takes minutes; the score may not fall below 85 %.
 *
 * Mutants that survive because they change nothing: `asked !== undefined &&` in decide.ts (`undefined` is not greater than
 * anything); the default of `kid` and of `fields`, which mean "none" whatever they are. That a token needs `iat`, and
 * what its key is derived from, is tried by attack/forged-checkout-tokens.test.ts; what vault.ts wraps anew by rotate.test.ts.
 */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'src/service/domains/charges/{charge,refusal,charge-event,gateway-requests}.ts',
    'src/service/domains/agreements/{accounts,agreement,calendar,payment,terms}.ts',
    'src/service/domains/checkouts/{intent,intent-tokens}.ts',
    'src/service/platform/vault/{aes-gcm,vault}.ts',
    'src/service/domains/sdk-releases/release.ts',
  ],
  coverageAnalysis: 'perTest',
  ignorePatterns: ['dist', 'releases', 'e2e', '.data', 'demo', 'docs'],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  concurrency: 2,
  tempDirName: '.stryker-tmp',
}
