/** What a merchant asked for, in one line: order, kind and cents. */
export type Movement = `${string} ${'sale' | 'capture' | 'cancel' | 'refund'} ${number}`

/** The merchant's own record of what it asked for and what it was told. */
export interface Journal {
  /** Written before anything is sent. */
  asked: ReadonlySet<Movement>
  acknowledged: ReadonlySet<Movement>
  /** Movements that were refused for good. */
  refused: ReadonlySet<Movement>
  /** The status that was last acknowledged, by order. */
  statuses: ReadonlyMap<string, string>
  ask: (movement: Movement) => void
  acknowledge: (movement: Movement, order: string, status: string) => void
  refuse: (movement: Movement) => void
}

export function createJournal(): Journal {
  const asked = new Set<Movement>()
  const acknowledged = new Set<Movement>()
  const refused = new Set<Movement>()
  const statuses = new Map<string, string>()
  return {
    asked,
    acknowledged,
    refused,
    statuses,
    ask: (movement) => void asked.add(movement),
    acknowledge(movement, order, status) {
      acknowledged.add(movement)
      statuses.set(order, status)
    },
    refuse: (movement) => void refused.add(movement),
  }
}
