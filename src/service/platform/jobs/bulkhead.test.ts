import { expect, it } from 'vitest'
import { createBulkhead } from './bulkhead.ts'

it('gives each account its slots and no more, counts what it refuses, and warns once until half of them are free', () => {
  const warnings: object[] = []
  let now = 0
  const bulkhead = createBulkhead({
    kind: 'movement',
    max: 2,
    clock: { elapsedMs: () => now },
    warn: (facts) => warnings.push(facts),
  })
  const leave = [bulkhead.enter('hung'), bulkhead.enter('hung')]
  expect([bulkhead.enter('hung'), bulkhead.enter('hung')]).toEqual([null, null])
  expect(bulkhead.enter('other')).not.toBeNull()
  now = 4000
  expect([bulkhead.underWay(), bulkhead.oldestSeconds(), bulkhead.refused()]).toEqual([3, 4, 2])
  expect(warnings).toMatchObject([{ kind: 'movement', gateway_id: 'hung', under_way: 2 }])
  leave[0]?.()
  expect(bulkhead.enter('hung')).not.toBeNull()
  expect(bulkhead.enter('hung')).toBeNull()
  expect(warnings).toHaveLength(2)
})
