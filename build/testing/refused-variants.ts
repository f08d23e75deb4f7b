import * as v from 'valibot'
import { expect } from 'vitest'
import { PROTOCOL, Welcome } from '../../src/contract/page/widget-channel.ts'
import { variantsOf } from './hostile-variants.ts'

/** Wrong versions of a right message, by the very schema that the tests of the source run. */
export function refusedBy(schema: v.GenericSchema, right: unknown, variants = variantsOf(right)): unknown[] {
  expect(v.is(schema, right)).toBe(true)
  const refused = variants.filter((variant) => !v.is(schema, variant))
  expect(refused.length).toBeGreaterThan(10)
  return refused
}

/** The same for what comes as JSON. */
export function refusedAsJson(schema: v.GenericSchema, right: unknown): unknown[] {
  const texts = new Set(variantsOf(right).map((variant) => JSON.stringify(variant ?? null)))
  return refusedBy(
    schema,
    right,
    [...texts].map((text): unknown => JSON.parse(text)),
  )
}

/** A page of another version is told so: that is no silence. */
export function isOfAnotherVersion(message: unknown): boolean {
  const { channel, protocol, widget_id } = Welcome.entries
  const other = v.object({ channel, protocol: v.pipe(protocol, v.notValue(PROTOCOL)), widget_id })
  return v.is(other, message)
}
