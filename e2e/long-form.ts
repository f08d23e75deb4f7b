/** Whether all is tried, in every look and with every row (`npm run e2e:all`), and not a sample of it (`npm test`). */
export const isLong = process.env['E2E'] === 'all'

/** The tag of a test that is left to the long form: what is slow, or what other tests see most of. */
export const LONG = '@long'

/** Of like states, those that are tried: all in the long form, else every `step`th, from the one with the number `turn` on. */
export function someOf<One>(all: readonly One[], step: number, turn = 0): readonly One[] {
  return isLong ? all : all.filter((_, at) => at % step === turn)
}
