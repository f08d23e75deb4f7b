import { vi } from 'vitest'

interface Listening {
  target: EventTarget
  name: string
  callback: unknown
  signal: AbortSignal | undefined
}

/** Watches every event target of the page from now on; answers with who is listened to at a moment. */
export function watchListeners(): () => string[] {
  let all: Listening[] = []
  const root = rootOf(document)
  const add: unknown = Reflect.get(root, 'addEventListener')
  vi.spyOn(root, 'addEventListener').mockImplementation(function (this: EventTarget, ...parameters) {
    const [name, callback, options] = parameters
    const signal = typeof options === 'object' ? options.signal : undefined
    all.push({ target: this, name, callback, signal })
    if (typeof add === 'function') Reflect.apply(add, this, parameters)
  })
  const remove: unknown = Reflect.get(root, 'removeEventListener')
  vi.spyOn(root, 'removeEventListener').mockImplementation(function (this: EventTarget, ...parameters) {
    const [name, callback] = parameters
    all = all.filter((one) => one.target !== this || one.name !== name || one.callback !== callback)
    if (typeof remove === 'function') Reflect.apply(remove, this, parameters)
  })
  return () => all.filter(isAlive).map(({ name }) => name)
}

/**
 * A signal that fired will never again. The simulated browser's media queries do not pass the signal on, which
 * real ones do.
 */
function isAlive({ target, signal }: Listening): boolean {
  const isSpent = target instanceof AbortSignal && target.aborted
  return !signal?.aborted && !isSpent && !('matches' in target && 'media' in target)
}

/** The prototype that every event target has its listening from. */
function rootOf(target: EventTarget): EventTarget {
  const isTarget = (above: unknown): above is EventTarget =>
    above instanceof Object && 'addEventListener' in above
  const above = Reflect.getPrototypeOf(target)
  return isTarget(above) ? rootOf(above) : target
}
