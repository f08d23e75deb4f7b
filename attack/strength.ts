/**
 * Whether every table is tried in full (`npm run attack`) or in part, so that a change is tested in seconds (`npm test`).
 */
export const isFull = process.env['ATTACK'] === 'full'

/**
 * About `max` of the cases, evenly spread. Another `offset` picks other cases, so that many short lists together contain all of them.
 */
export function spread<Case>(cases: readonly Case[], max: number, offset: number): readonly Case[] {
  const step = Math.ceil(cases.length / max)
  return step <= 1 ? cases : cases.filter((_, at) => (at + offset) % step === 0)
}

/** In the long form all cases, in the short form about `max` of them. */
export function someOf<Case>(cases: readonly Case[], max: number, offset = 0): readonly Case[] {
  return isFull ? cases : spread(cases, max, offset)
}
