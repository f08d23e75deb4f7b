/** Whether all is tried in every look and with every row (`npm run looks`), and not a sample of it (`npm test`). */
export const isLong = process.env['LOOKS'] === 'all'

/** Of like states, those that are tried: all in the long form, else every `step`th, from the one with the number `turn` on. */
export function someOf<One>(all: readonly One[], step: number, turn = 0): readonly One[] {
  return isLong ? all : all.filter((_, at) => at % step === turn)
}
