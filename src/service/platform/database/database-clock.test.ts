import { describe, expect, it } from 'vitest'
import { startDatabaseClock } from './database-clock.ts'

const MIDDAY = Date.parse('2026-11-21T12:00:00Z')
const HOUR = 3_600_000

/** A database that can be set to any time and takes its time to answer, and a monotonic clock beside it. */
async function start(firstAnswerMs = 0) {
  let elapsed = 5000
  let ahead = MIDDAY - elapsed
  let answerMs = firstAnswerMs
  const steps: number[] = []
  const run = () => {
    const row = { epoch_ms: elapsed + answerMs / 2 + ahead }
    elapsed += answerMs
    // The one statement that is asked.
    return Promise.resolve(JSON.parse(JSON.stringify([row])))
  }
  const clock = await startDatabaseClock({ run }, { elapsedMs: () => elapsed }, (ms) => steps.push(ms))
  return {
    clock,
    steps,
    databaseMs: () => elapsed + ahead,
    wait: (ms: number) => (elapsed += ms),
    stepBy: (ms: number) => (ahead += ms),
    answerIn: (ms: number) => (answerMs = ms),
  }
}

describe('the time of the database, known without asking', () => {
  it('goes on by itself', async () => {
    const { clock, databaseMs, wait } = await start()
    wait(90_000)
    expect(clock.epochMs()).toBe(databaseMs())
    expect(clock.msSinceStep()).toBe(Infinity)
  })

  it.each([-2 * HOUR, -600_000, 600_000, 2 * HOUR])(
    'follows a step of %i ms at the next reading, reports it once, and counts steps back',
    async (step) => {
      const { clock, steps, databaseMs, wait, stepBy } = await start()
      stepBy(step)
      expect(clock.epochMs()).toBe(databaseMs() - step)
      await clock.refresh()
      await clock.refresh()
      expect(clock.epochMs()).toBe(databaseMs())
      expect(steps).toEqual([step])
      wait(7000)
      expect(clock.msSinceStep()).toBe(7000)
      expect(clock.setBackMs()).toBe(step < 0 ? -step : 0)
    },
  )

  it('is not moved by an answer that was slow to come', async () => {
    const { clock, steps, databaseMs, answerIn } = await start()
    answerIn(9000)
    await clock.refresh()
    expect(clock.epochMs()).toBe(databaseMs())
    expect(steps).toEqual([])
  })

  it('is right to half of the first answer’s time, and better after a quicker one', async () => {
    const { clock, databaseMs, answerIn, stepBy } = await start(400)
    stepBy(150)
    expect(Math.abs(clock.epochMs() - databaseMs())).toBeLessThanOrEqual(200)
    answerIn(2)
    await clock.refresh()
    expect(Math.abs(clock.epochMs() - databaseMs())).toBeLessThanOrEqual(1)
  })

  it('follows small corrections without calling them steps', async () => {
    const { clock, steps, databaseMs, stepBy } = await start()
    stepBy(-300)
    await clock.refresh()
    expect(clock.epochMs()).toBe(databaseMs())
    expect([steps, clock.msSinceStep()]).toEqual([[], Infinity])
  })

  it('goes on when the database cannot be asked', async () => {
    let isLost = false
    const run = () =>
      isLost ? Promise.reject(new Error('lost')) : Promise.resolve(JSON.parse(`[{ "epoch_ms": ${MIDDAY} }]`))
    const clock = await startDatabaseClock({ run }, { elapsedMs: () => 0 })
    isLost = true
    await expect(clock.refresh()).rejects.toThrow('lost')
    expect(clock.epochMs()).toBe(MIDDAY)
    isLost = false
    await expect(clock.refresh()).resolves.toBeUndefined()
  })
})
