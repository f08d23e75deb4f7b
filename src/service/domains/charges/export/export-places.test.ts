import { expect, it } from 'vitest'
import { createExportPlaces } from './export-places.ts'

const tooMany: unknown = expect.objectContaining({ code: 'rate_limited', retryAfter: 15 })

/** Places of which every one is taken, each two by one merchant, and which of them were ended. */
function createTakenPlaces() {
  let now = 0
  const ended: number[] = []
  const places = createExportPlaces({ elapsedMs: () => now })
  const taken = Array.from({ length: 24 }, (_, at) =>
    places.take(`merchant ${Math.floor(at / 2)}`, () => ended.push(at)),
  )
  return { places, taken, ended, pass: (ms: number) => (now += ms) }
}

it('a merchant has two places, and gets one back when an export has ended', () => {
  const places = createExportPlaces({ elapsedMs: () => 0 })
  const [first] = [places.take('a', () => undefined), places.take('a', () => undefined)]
  expect(() => places.take('a', () => undefined)).toThrow(tooMany)
  expect(() => places.take('b', () => undefined)).not.toThrow()
  first.leave()
  first.leave()
  expect(() => places.take('a', () => undefined)).not.toThrow()
  expect(() => places.take('a', () => undefined)).toThrow(tooMany)
})

it('slow readers of other merchants hold no place that somebody needs', () => {
  const { places, taken, ended, pass } = createTakenPlaces()
  for (const place of taken) place.waitForReader()
  pass(4000)
  taken[0]?.goOn()
  expect(() => places.take('newcomer', () => undefined)).toThrow(tooMany)
  pass(1000)
  places.take('newcomer', () => undefined)
  expect(ended).toEqual([1])
  places.take('another', () => undefined)
  expect(ended).toEqual([1, 2])
})

it('readers that take what they get keep their places', () => {
  const { places, taken, ended, pass } = createTakenPlaces()
  for (let second = 0; second < 60; second += 1) {
    for (const place of taken) place.waitForReader()
    pass(1000)
    for (const place of taken) place.goOn()
  }
  expect(() => places.take('newcomer', () => undefined)).toThrow(tooMany)
  expect(ended).toEqual([])
})
