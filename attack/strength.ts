/**
 * Whether every table is tried in full (`npm run attack`) or in part, so that a change is tested in seconds (`npm test`).
 */
export const isFull = process.env['ATTACK'] === 'full'

/**
 * About `most` of the cases, evenly spread. `offset` picks others, so that many short lists made of the same cases together
 * hold all of them.
 */
export function spread<Case>(cases: readonly Case[], max: number, offset: number): readonly Case[] {
  const step = Math.ceil(cases.length / max)
  return step <= 1 ? cases : cases.filter((_, at) => (at + offset) % step === 0)
}

/** All of the cases in the long form, in the short one about `most`. */
export function someOf<Case>(cases: readonly Case[], max: number, offset = 0): readonly Case[] {
  return isFull ? cases : spread(cases, max, offset)
}
