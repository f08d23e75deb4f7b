import { expect, it, vi } from 'vitest'
import { createEventStream } from '../testing/event-stream.ts'
import { createLive } from './live.ts'

function start() {
  const stream = createEventStream()
  const refused = vi.fn()
  const listener = () => ({ happened: vi.fn(), missed: vi.fn() })
  return { stream, refused, listener, live: createLive(stream, refused) }
}

it('all listeners share one connection, which is open as long as there is one', () => {
  const { stream, live, listener } = start()
  expect(stream.paths).toEqual([])
  const stops = [live.listen(listener()), live.listen(listener())]
  expect(stream.paths).toEqual(['/api/live'])
  stops[0]?.()
  expect(stream.isOpen()).toBe(true)
  stops[1]?.()
  expect(stream.isOpen()).toBe(false)
  live.listen(listener())
  expect(stream.paths).toHaveLength(2)
})

it('every listener hears what happens, and that something was missed', () => {
  const { stream, live, listener } = start()
  const all = [listener(), listener()]
  for (const one of all) live.listen(one)
  stream.tell('charge.captured', 'a')
  stream.reset()
  for (const { happened, missed } of all) {
    expect(happened).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ type: 'charge.captured', subject: 'a' }),
    )
    expect(missed).toHaveBeenCalledTimes(1)
  }
})

it('a message that cannot be read is skipped', () => {
  const { stream, live, listener } = start()
  const one = listener()
  live.listen(one)
  stream.sendText('no JSON')
  stream.sendText('{"type":"charge.captured"}')
  expect(one.happened).not.toHaveBeenCalled()
})

it('a connection that the service refuses has the session checked', () => {
  const { stream, live, listener, refused } = start()
  live.listen(listener())
  expect(refused).not.toHaveBeenCalled()
  stream.refuse()
  expect(refused).toHaveBeenCalledTimes(1)
})
