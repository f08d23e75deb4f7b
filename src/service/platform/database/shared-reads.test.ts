import { expect, it } from 'vitest'
import { createSharedReads } from './shared-reads.ts'

/** Reads that end when they are told to. */
function controlledReads() {
  const begun: { name: string; end: (value: string) => void; fail: () => void }[] = []
  const read = createSharedReads(
    (name) =>
      new Promise<string>((end, refuse) => {
        begun.push({ name, end, fail: () => refuse(new Error('gone')) })
      }),
  )
  return { begun, read }
}

it('who asks while a read is under way gets the next one, as this one may have begun too early', async () => {
  const { begun, read } = controlledReads()
  const first = read('a')
  const later = [read('a'), read('a'), read('a')]
  expect(begun).toHaveLength(1)
  begun[0]?.end('old')
  expect(await first).toBe('old')
  await Promise.resolve()
  const latest = read('a')
  expect(begun).toHaveLength(2)
  begun[1]?.end('new')
  expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
  await Promise.resolve()
  expect(begun).toHaveLength(3)
  begun[2]?.end('newest')
  expect(await latest).toBe('newest')
})

it('reads of other names wait for nobody', () => {
  const { begun, read } = controlledReads()
  void read('a')
  void read('b')
  expect(begun.map(({ name }) => name)).toEqual(['a', 'b'])
})

it('a read that fails fails its own askers alone', async () => {
  const { begun, read } = controlledReads()
  const first = read('a')
  const second = read('a')
  begun[0]?.fail()
  await expect(first).rejects.toThrow('gone')
  begun[1]?.end('back')
  expect(await second).toBe('back')
  const third = read('a')
  begun[2]?.end('again')
  expect(await third).toBe('again')
})
