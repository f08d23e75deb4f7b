import { vi } from 'vitest'

export const ID = '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a22'

/** Answers with each body in turn, and then always with the last. */
export function oneByOne(bodies: readonly unknown[], status: number) {
  const left = [...bodies]
  return vi.fn(() => ({ status, body: left.length > 1 ? left.shift() : left[0] }))
}

export const withResource = (resource: unknown) => ({ status: 201, error: null, resource })
export const envelopeOf = (type: string, data: unknown) => withResource({ type, data })
