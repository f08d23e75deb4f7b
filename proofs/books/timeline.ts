import type { Journal } from '../merchant/journal.ts'

/** When payments were acknowledged. */
export interface Timeline {
  /** A journal that also notes the time. */
  journal: Journal
  /** The longest time since `begin` (by `performance.now`) in which no payment was acknowledged, in ms. */
  longestGapSince: (begin: number) => number
}

export function createTimeline(journal: Journal): Timeline {
  const times: number[] = []
  return {
    journal: {
      ...journal,
      acknowledge(...movement) {
        times.push(performance.now())
        journal.acknowledge(...movement)
      },
    },
    longestGapSince(begin) {
      const moments = [begin, ...times.filter((time) => time > begin), performance.now()]
      return Math.max(...moments.slice(1).map((time, index) => time - (moments[index] ?? begin)))
    },
  }
}
