import * as v from 'valibot'
import { expect } from 'vitest'
import { PROTOCOL, Welcome } from '../../src/contract/page/widget-channel.ts'
import { variantsOf } from './hostile-variants.ts'

/** The variants of a valid message that its schema refuses. */
export function refusedBy(schema: v.GenericSchema, right: unknown, variants = variantsOf(right)): unknown[] {
  expect(v.is(schema, right)).toBe(true)
  const refused = variants.filter((variant) => !v.is(schema, variant))
  expect(refused.length).toBeGreaterThan(10)
  return refused
}

/** The same for messages that arrive as JSON. */
export function refusedAsJson(schema: v.GenericSchema, right: unknown): unknown[] {
  const texts = new Set(variantsOf(right).map((variant) => JSON.stringify(variant ?? null)))
  return refusedBy(
    schema,
    right,
    [...texts].map((text): unknown => JSON.parse(text)),
  )
}

/** Whether a message is a welcome of another protocol version, which the frame answers. */
export function isOfAnotherVersion(message: unknown): boolean {
  const { channel, protocol, widget_id } = Welcome.entries
  const other = v.object({ channel, protocol: v.pipe(protocol, v.notValue(PROTOCOL)), widget_id })
  return v.is(other, message)
}
