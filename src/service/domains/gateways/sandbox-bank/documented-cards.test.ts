import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuthenticationSession } from '../../../../contract/api/charges/authentication.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { readCreq } from './messages.ts'
import { charge, post } from './testing/card-holder.ts'
import type { Asked } from './testing/card-holder.ts'
import { DOCUMENTED_CARDS } from './testing/documented-cards.ts'
import type { HolderDoes } from './testing/documented-cards.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** The challenge, once the bank has looked at the browser where it wants to; null where it has no question. */
async function challengeOf(asked: Asked): Promise<AuthenticationSession | null> {
  if (asked.charge._3ds?.token === undefined) return null
  const session = await asked.session()
  if (session.step?.kind !== 'method') return session
  return asked.tell({ kind: 'method', step_number: session.step_number, completed: true })
}

const acsOf = ({ step }: AuthenticationSession) =>
  step?.kind === 'challenge' ? (readCreq(step.creq)?.acsTransID ?? '') : ''

/** What the card holder sends by the bank's page, one after the other. */
const SENT: Readonly<Record<HolderDoes, readonly Record<string, string>[]>> = {
  'is not asked': [],
  'gives the code': [{ action: 'code', code: '1234' }],
  'is wrong three times': Array.from({ length: 3 }, () => ({ action: 'code', code: '1234' })),
  'approves in the app': [{ action: 'approve' }],
  waits: [{}],
  'gives up': [],
}

async function act(asked: Asked, holder: HolderDoes): Promise<void> {
  const session = await challengeOf(asked)
  if (!session?.step) return
  const acs = acsOf(session)
  if (holder === 'waits')
    await service.database.script(
      `UPDATE sandbox_gateway.authentications SET opened_at = now() - interval '6 seconds' WHERE acs_trans_id = '${acs}'`,
    )
  for (const fields of SENT[holder]) await post(service, '/3ds/challenge/answer', { acs, ...fields })
  if (holder === 'gives up') await asked.giveUp()
  else await asked.tell({ kind: 'look', step_number: session.step_number })
}

describe('a test card of the guide', () => {
  it('has its row here, in the order of the guide', () => {
    const shown = readFileSync('docs/guides/testing.md', 'utf8').matchAll(/^\| (4970(?: \d{4}){3}) /gm)
    const numbers = [...shown].map(([, number = '']) => number.replaceAll(' ', ''))
    expect(DOCUMENTED_CARDS.map(({ number }) => number)).toEqual(numbers)
  })

  it.each(DOCUMENTED_CARDS)(
    '$number ends by API as documented: its holder $holder',
    async ({ number, holder, status, errorCode, brings }) => {
      const asked = await charge(service, { card: number })
      await act(asked, holder)
      const now = await asked.now()
      expect(now.status).toBe(status)
      expect(now._3ds).toMatchObject(brings)
      expect(now.transactions.find(({ type }) => type === 'sale')?.error_code ?? null).toBe(errorCode)
    },
  )
})
