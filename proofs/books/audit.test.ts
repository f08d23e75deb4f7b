import { describe, expect, it } from 'vitest'
import { createJournal } from '../merchant/journal.ts'
import { auditInTheEnd, auditMeanwhile } from './audit.ts'
import type { Books } from './books.ts'

/** A merchant that was told that its sale is complete, and is still waiting for the answer to a refund. */
function journalOfOne() {
  const journal = createJournal()
  journal.ask('o1 sale 1000')
  journal.acknowledge('o1 sale 1000', 'o1', 'complete')
  journal.ask('o1 refund 300')
  return journal
}

interface BooksOverrides {
  differences?: string[]
  movements?: [string, number][]
  statuses?: [string, string][]
  open?: number
}

function booksWith({ differences = [], movements, statuses, open = 0 }: BooksOverrides): Books {
  return {
    differences: () => Promise.resolve(differences),
    movements: () => Promise.resolve(new Map(movements ?? [['o1 sale 1000', 1]])),
    statuses: () => Promise.resolve(new Map(statuses ?? [['o1', 'complete']])),
    events: () => Promise.resolve([]),
    openAttempts: () => Promise.resolve(open),
  }
}

describe('an audit', () => {
  it.each<[string, BooksOverrides, string]>([
    ['differs from the ledger', { differences: ['attempt a: service approved, ledger none'] }, 'ledger none'],
    ['lacks what was acknowledged', { movements: [] }, 'lost: o1 sale 1000'],
    ['has it twice', { movements: [['o1 sale 1000', 2]] }, 'doubled: o1 sale 1000'],
    [
      'has what nobody asked for',
      {
        movements: [
          ['o1 sale 1000', 1],
          ['o1 cancel 1000', 1],
        ],
      },
      'not asked: o1 cancel 1000',
    ],
  ])('finds a book that %s, at any time', async (_what, overrides, words) => {
    await expect(auditMeanwhile(journalOfOne(), booksWith(overrides))).rejects.toThrow(words)
    await expect(auditInTheEnd(journalOfOne(), booksWith(overrides))).rejects.toThrow(words)
  })

  it.each<[string, BooksOverrides, string]>([
    [
      'has what was asked for and not acknowledged',
      {
        movements: [
          ['o1 sale 1000', 1],
          ['o1 refund 300', 1],
        ],
      },
      'done, and not acknowledged: o1 refund 300',
    ],
    [
      'has another status',
      { statuses: [['o1', 'refunded']] },
      'o1 was acknowledged complete and is refunded',
    ],
    ['lacks the charge', { statuses: [] }, 'o1 was acknowledged complete and is gone'],
    ['has an attempt without an outcome', { open: 1 }, '1 attempts have no outcome'],
  ])('finds a book that %s, once all is answered', async (_what, overrides, words) => {
    await auditMeanwhile(journalOfOne(), booksWith(overrides))
    await expect(auditInTheEnd(journalOfOne(), booksWith(overrides))).rejects.toThrow(words)
  })

  it('is content with books that agree', async () => {
    await auditInTheEnd(journalOfOne(), booksWith({}))
  })
})
