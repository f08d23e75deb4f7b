import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { charge, formIn, openChallenge, post } from './testing/card-holder.ts'
import type { Asked } from './testing/card-holder.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** Answers the bank's page, after which the page asks what has come of it. */
async function answer(asked: Asked, fields: Record<string, string>): Promise<string> {
  const session = await asked.session()
  const { acs = '' } = formIn(await openChallenge(service, session)).fields
  const { body } = await post(service, '/3ds/challenge/answer', { acs, ...fields })
  await asked.tell({ kind: 'look', step_number: session.step_number })
  return body
}

describe('a card whose bank asks for a code', () => {
  it('is charged once the right code was given', async () => {
    const asked = await charge(service)
    expect(asked.answer.status).toBe(201)
    expect(asked.charge).toMatchObject({
      status: 'pre_authentication_pending',
      _3ds: { status: 'pending', asked_by: 'gateway' },
    })
    await answer(asked, { action: 'code', code: '1234' })
    expect(await asked.session()).toMatchObject({ status: 'authenticated', succeeded: true, step: null })
    expect(await asked.now()).toMatchObject({
      status: 'pending',
      _3ds: {
        status: 'authenticated',
        flow: 'challenge',
        trans_status: 'Y',
        eci: '05',
        version: '2.2.0',
        liability_shifted: true,
      },
    })
  })
})
