import { describe, expect, it } from 'vitest'
import { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import { messageOf } from './event-kind.ts'
import type { ResourceAsOf, ResourcesAsOf } from './event-kind.ts'

const shownBy =
  (kind: string): ResourceAsOf =>
  (event) =>
    Promise.resolve({ kind, _id: event.subject })
const resources: ResourcesAsOf = {
  charge: shownBy('charge'),
  checkout: shownBy('checkout'),
  agreement: shownBy('agreement'),
  payment: shownBy('payment'),
  test: shownBy('test'),
}
const eventOf = (type: string) => ({ id: 'e', subject: 's', type, createdAt: new Date(0) })

describe('what a message shows', () => {
  it.each([...WebhookEventType.options, TEST_EVENT])(
    'of an event of type %s is shown by its kind',
    async (type) => {
      const [kind] = type.split('.')
      expect(await messageOf(resources, eventOf(type))).toEqual({
        type,
        timestamp: '1970-01-01T00:00:00.000Z',
        data: { kind, _id: 's' },
      })
    },
  )

  it.each(['webhook.added', 'toString.made', 'charge-back.made', ''])(
    'of an event of type %j is shown by nobody',
    async (type) => {
      await expect(messageOf(resources, eventOf(type))).rejects.toThrow(`of type ${type}`)
    },
  )

  it('is of every kind that the contract names', () => {
    expect(WebhookEventType.options).toContain('agreement.collection_skipped')
    expect(WebhookEventType.options).toContain('payment.under_investigation')
    expect(new Set([...WebhookEventType.options, TEST_EVENT].map((type) => type.split('.')[0]))).toEqual(
      new Set(Object.keys(resources)),
    )
  })
})
