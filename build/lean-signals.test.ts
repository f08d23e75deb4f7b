import * as full from '@preact/signals'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as lean from './lean-signals.ts'

type Signals = Pick<typeof lean, 'signal' | 'effect' | 'batch'>

const write = fc.record({ place: fc.nat({ max: 2 }), value: fc.nat({ max: 3 }) })

/** What three effects see, one of which reads by what it read before, and one of which writes. */
function seenBy({ signal, effect, batch }: Signals, batches: { place: number; value: number }[][]): string[] {
  const cells = [signal(0), signal(0), signal(0)]
  const copy = signal(0)
  const seen: string[] = []
  const read = (place: number) => cells[place]?.value ?? 0
  effect(() => void seen.push(`all ${String([read(0), read(1), read(2)])}`))
  effect(() => void seen.push(`either ${String(read(0) > 1 ? read(1) : read(2))}`))
  effect(() => {
    copy.value = read(1)
  })
  effect(() => void seen.push(`copy ${String(copy.value)}`))
  for (const writes of batches) {
    batch(() => {
      for (const { place, value } of writes) {
        const cell = cells[place]
        if (cell !== undefined) cell.value = value
      }
    })
    seen.push('—')
  }
  return seen
}

/** Between two batches the order of effects is nobody's business, nor is one that sees again what it saw. */
const told = (seen: string[]) =>
  seen
    .join('|')
    .split('—')
    .map((part) => [...new Set(part.split('|'))].sort())

it('effects see what those of the package see', () => {
  const oneWrite = fc.array(write, { minLength: 1, maxLength: 1 })
  fc.assert(
    fc.property(fc.array(oneWrite, { maxLength: 12 }), (batches) => {
      expect(told(seenBy(lean, batches))).toEqual(told(seenBy(full, batches)))
    }),
  )
})

it('an effect runs once for a batch, also for one in a batch', () => {
  const seen: number[] = []
  const [left, right] = [lean.signal(1), lean.signal(1)]
  lean.effect(() => void seen.push(left.value + right.value))
  lean.batch(() => {
    lean.batch(() => (left.value = 2))
    right.value = 2
  })
  left.value = 2
  expect(seen).toEqual([2, 4])
})

it('an effect that writes what it reads runs again', () => {
  const count = lean.signal(0)
  lean.effect(() => {
    if (count.value < 5) count.value += 1
  })
  expect(count.value).toBe(5)
})

it('an effect that fails keeps no other from running, and is heard of', () => {
  const seen: number[] = []
  const value = lean.signal(0)
  lean.effect(() => {
    if (value.value === 1) throw new Error('failed')
  })
  lean.effect(() => void seen.push(value.value))
  expect(() => (value.value = 1)).toThrow('failed')
  value.value = 2
  expect(seen).toEqual([0, 1, 2])
})
