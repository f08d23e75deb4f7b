import { describe, expect, it } from 'vitest'
import type { Outcome } from '../api/api.ts'
import { localFailure } from '../api/failure.ts'
import { createResource } from './resource.ts'

const done = (value: string): Outcome<string> => ({ kind: 'done', data: value, next: null, etag: null })
const failed: Outcome<string> = { kind: 'failed', failure: localFailure('unreachable') }

/** A resource whose answers are given by hand, in any order. */
function start() {
  const asked: {
    path: string
    isAborted: () => boolean
    answer: (outcome: Outcome<string>) => Promise<void>
  }[] = []
  const resource = createResource<string>(
    (path, signal) =>
      new Promise((settle) => {
        const answer = async (outcome: Outcome<string>) => {
          settle(outcome)
          await new Promise((turn) => setTimeout(turn, 0))
        }
        asked.push({ path, answer, isAborted: () => signal.aborted })
      }),
  )
  return { resource, asked }
}

describe('a resource', () => {
  it('is loading, then ready', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    expect(resource.state.value).toEqual({ kind: 'loading' })
    await asked[0]?.answer(done('one'))
    expect(resource.state.value).toMatchObject({ kind: 'ready', data: 'one', isReloading: false })
  })

  it('keeps what it has while it is asked for again, and when that fails', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    await asked[0]?.answer(done('one'))
    void resource.reload()
    expect(resource.state.value).toMatchObject({ kind: 'ready', data: 'one', isReloading: true })
    await asked[1]?.answer(failed)
    expect(resource.state.value).toMatchObject({ data: 'one', failure: { code: 'unreachable' } })
    void resource.reload()
    await asked[2]?.answer(done('two'))
    expect(resource.state.value).toMatchObject({ data: 'two', failure: null })
  })

  it('knows whether what is shown is asked for again, or is another path’s', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    await asked[0]?.answer(done('one'))
    void resource.reload()
    expect(resource.state.value).toMatchObject({ isReloading: true, isOther: false })
    void resource.open('/b')
    expect(resource.state.value).toMatchObject({ isReloading: true, isOther: true })
    await asked[2]?.answer(done('two'))
    expect(resource.state.value).toMatchObject({ isReloading: false, isOther: false })
  })

  it('does not show one path’s data as another’s when that one fails', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    await asked[0]?.answer(done('one'))
    void resource.open('/b')
    await asked[1]?.answer(failed)
    expect(resource.state.value).toMatchObject({ kind: 'failed', failure: { code: 'unreachable' } })
    void resource.reload()
    expect(asked[2]?.path).toBe('/b')
  })

  it('takes the answer to the last question alone', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    void resource.open('/b')
    expect(asked[0]?.isAborted()).toBe(true)
    await asked[1]?.answer(done('of b'))
    await asked[0]?.answer(done('of a'))
    expect(resource.state.value).toMatchObject({ data: 'of b' })
  })

  it('shows what a change has answered', async () => {
    const { resource, asked } = start()
    void resource.open('/a')
    await asked[0]?.answer(done('one'))
    resource.replace('changed')
    expect(resource.state.value).toMatchObject({ kind: 'ready', data: 'changed' })
  })
})
