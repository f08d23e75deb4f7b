import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createResource } from '../loading/resource.ts'
import { createLiveList } from './use-live.ts'

interface Row {
  id: string
  status: string
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A list whose rows are those of `service` when they are read. */
async function start({ isFirst = true, rows = ['b', 'a'] } = {}) {
  const service = new Map(rows.map((id) => [id, { id, status: 'held' }]))
  const firstPage = () => [...service.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  const list = createResource<Row[]>(() =>
    Promise.resolve({ kind: 'done', data: firstPage(), next: null, etag: null }),
  )
  await list.open('/rows')
  const readOne = vi.fn((id: string) => Promise.resolve(service.get(id) ?? null))
  const readFirst = vi.fn(() => Promise.resolve<Row[] | null>(firstPage().slice(0, 2)))
  const follower = createLiveList<Row>(() => ({
    list,
    idOf: ({ id }) => id,
    isAbout: ({ type }) => type.startsWith('row.'),
    readFirst: isFirst ? readFirst : null,
    readOne,
  }))
  const happens = async (subject: string, type = 'row.changed') => {
    follower.happened({ id: '1', type, subject, created_at: '2026-11-21T10:00:00.000Z' })
    await vi.advanceTimersByTimeAsync(1000)
  }
  const shown = () => {
    const { value } = list.state
    return value.kind === 'ready' ? value.data.map(({ id, status }) => `${id} ${status}`) : []
  }
  const change = (id: string, status: string) => service.set(id, { id, status })
  return { follower, happens, shown, change, readFirst, readOne }
}

it('a row that is shown follows its state and stays where it is', async () => {
  const { happens, shown, change, follower } = await start()
  change('a', 'captured')
  await happens('a')
  expect(shown()).toEqual(['b held', 'a captured'])
  expect(follower.newRows.value).toBe(0)
})

it('new rows are counted and not shown', async () => {
  const { happens, shown, change, follower } = await start()
  change('c', 'held')
  await happens('c')
  expect(follower.newRows.value).toBe(1)
  expect(shown()).toEqual(['b held', 'a held'])
  follower.forget()
  expect(follower.newRows.value).toBe(0)
})

it('a row that is no longer on the first page is read by itself', async () => {
  const { happens, shown, change, readOne } = await start()
  for (const id of ['c', 'd']) change(id, 'held')
  change('a', 'captured')
  await happens('a')
  expect(readOne.mock.calls).toEqual([['a']])
  expect(shown()).toEqual(['b held', 'a captured'])
})

it('a later page follows its rows and counts no new ones', async () => {
  const { happens, shown, change, follower, readFirst } = await start({ isFirst: false })
  change('c', 'held')
  change('a', 'captured')
  await happens('a')
  await happens('c')
  expect(shown()).toEqual(['b held', 'a captured'])
  expect(follower.newRows.value).toBe(0)
  expect(readFirst).not.toHaveBeenCalled()
})

it('many events at once cause one request, and events of other things none', async () => {
  const { happens, follower, readFirst } = await start()
  for (const subject of ['a', 'b', 'c'])
    follower.happened({ id: '1', type: 'row.changed', subject, created_at: '2026-11-21T10:00:00.000Z' })
  await happens('d', 'webhook.made')
  expect(readFirst).toHaveBeenCalledTimes(1)
})

it('where something happens all the time, the list is read twice a second', async () => {
  const { follower, readFirst } = await start()
  for (let ms = 0; ms < 5000; ms += 50) {
    follower.happened({ id: '1', type: 'row.changed', subject: 'a', created_at: '2026-11-21T10:00:00.000Z' })
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(readFirst).toHaveBeenCalledTimes(10)
})

it('what happens while the list is read is read afterwards', async () => {
  const { happens, shown, change, follower, readFirst } = await start()
  readFirst.mockImplementationOnce(() => {
    follower.happened({ id: '2', type: 'row.changed', subject: 'a', created_at: '2026-11-21T10:00:00.000Z' })
    change('a', 'refunded')
    return Promise.resolve([])
  })
  await happens('b')
  await vi.advanceTimersByTimeAsync(1000)
  expect(shown()).toEqual(['b held', 'a refunded'])
})

it('the count stays when the first page cannot be read', async () => {
  const { happens, change, follower, readFirst } = await start()
  change('c', 'held')
  await happens('c')
  readFirst.mockResolvedValueOnce(null)
  await happens('c')
  expect(follower.newRows.value).toBe(1)
})

it('an answer for a list that is no longer shown is ignored', async () => {
  const { happens, shown, change, follower, readFirst } = await start()
  change('a', 'captured')
  readFirst.mockImplementationOnce(() => {
    follower.forget()
    return Promise.resolve([{ id: 'a', status: 'captured' }])
  })
  await happens('a')
  expect(shown()).toEqual(['b held', 'a held'])
})
