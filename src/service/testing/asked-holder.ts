import * as v from 'valibot'
import type { TestService } from './test-service.ts'

/** A card whose bank, that of the sandbox, asks for a code (docs/guides/testing.md). */
const ASKS_CODE = '4970110000001011'
const BROWSER = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}
const Asked = v.object({ _3ds: v.object({ id: v.string(), token: v.string() }) })

/** The authentication of a new charge whose card holder is asked: what its page knows. */
export async function askedHolder(
  service: TestService,
  cardNumber = ASKS_CODE,
): Promise<{ id: string; token: string }> {
  const token = await service.tokenise({ card_number: cardNumber, browser: BROWSER })
  const { body } = await service.call({
    method: 'POST',
    url: '/v1/charges',
    headers: { 'x-user-secret-key': service.merchant.secretKey },
    payload: { amount: '10.00', currency: 'AUD', token },
  })
  return v.parse(Asked, body.resource.data)._3ds
}
