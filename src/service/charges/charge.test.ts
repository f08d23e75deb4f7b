import { describe, expect, it } from 'vitest'
import { chargeMoves } from './charge.ts'

describe('where a charge can go', () => {
  const states = Object.keys(chargeMoves)
  const ends = Object.entries(chargeMoves).map(([state, moves]) => [state, Object.values(moves)] as const)

  it('leads to known states only', () => {
    for (const [, targets] of ends) for (const target of targets) expect(states).toContain(target)
  })

  it('reaches every state that a movement of today can bring about', () => {
    const reached = new Set(['processing'])
    for (const [state, targets] of ends)
      if (reached.has(state)) for (const target of targets) reached.add(target)
    expect([...reached].sort()).toEqual([
      'cancelled',
      'complete',
      'failed',
      'pending',
      'processing',
      'refunded',
    ])
  })
})
