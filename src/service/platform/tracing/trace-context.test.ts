import { expect, it } from 'vitest'
import { oneTimeTokenOf } from '../secrets/one-time-token.ts'
import { parseTraceparent, traceparentOf } from './trace-context.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

it.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`cc-${traceId}-${spanId}-03-what-the-future-will-be`, true],
])('%s is a context', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled })
})

it.each([
  undefined,
  [`00-${traceId}-${spanId}-01`],
  '',
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `ff-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01-more`,
  `00-${traceId}-${spanId}`,
  `00-${oneTimeTokenOf(Buffer.alloc(16, 0x5a)).replaceAll('-', '')}-${spanId}-01`,
])('%j is none', (header) => {
  expect(parseTraceparent(header)).toBeNull()
})

it('is written as it is read', () => {
  const context = { traceId, spanId, isSampled: true }
  expect(parseTraceparent(traceparentOf(context))).toEqual(context)
})
