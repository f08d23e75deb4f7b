import type { ForwardedRef } from 'react'

/** Gives a component's ref what it is a ref of. */
export function handToRef<Value>(ref: ForwardedRef<Value>, value: Value | null): void {
  if (typeof ref === 'function') ref(value)
  else if (ref !== null) ref.current = value
}
