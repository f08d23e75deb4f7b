import { expect, it } from 'vitest'
import { areWhole } from './patroni-api.ts'

const leader = { name: 'db1', role: 'leader', state: 'running', timeline: 2 }
const synchronous = { name: 'db2', role: 'sync_standby', state: 'running', timeline: 2, lag: 0 }
const standby = { name: 'db3', role: 'replica', state: 'streaming', timeline: 2, lag: 100 }

it('is whole when two members follow the leader, one of them synchronously', () => {
  expect(areWhole([leader, synchronous, standby], 3)).toBe(true)
})

it.each([
  ['a member is missing', [leader, synchronous]],
  ['no standby is synchronous', [leader, { ...synchronous, role: 'replica' }, standby]],
  ['a member still starts', [leader, synchronous, { ...standby, state: 'starting' }]],
  ['a member is on another timeline', [leader, synchronous, { ...standby, timeline: 1 }]],
  ['nobody knows how far a member is', [leader, synchronous, { ...standby, lag: 'unknown' }]],
  ['two lead', [leader, synchronous, { ...leader, name: 'db3' }]],
])('does not when %s', (_why, members) => {
  expect(areWhole(members, 3)).toBe(false)
})
