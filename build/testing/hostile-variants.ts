const WRONG_VALUES = [undefined, null, true, -1, NaN, '', 'x', 'x'.repeat(5000), [], [null], {}, { x: 1 }]

/**
 * Variants of a valid message: a wrong value instead of it and of each value in it, each key removed, and an additional key in
 * each object. Some may still be valid; the caller's schema decides.
 */
export function variantsOf(message: unknown): unknown[] {
  return [...WRONG_VALUES, ...(Array.isArray(message) ? ofList(message) : ofObject(message))]
}

function ofList(list: readonly unknown[]): unknown[] {
  return list.flatMap((item, index) => variantsOf(item).map((variant) => list.with(index, variant)))
}

function ofObject(given: unknown): unknown[] {
  if (typeof given !== 'object' || given === null) return []
  const object: Record<string, unknown> = { ...given }
  const changed = Object.entries(object).flatMap(([key, value]) => {
    const others = Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
    return [others, ...variantsOf(value).map((variant) => ({ ...object, [key]: variant }))]
  })
  return [{ ...object, unknown_key: 1 }, ...changed]
}
