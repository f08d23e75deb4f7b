import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { person } from '../testing/open-dashboard.ts'
import { data, noAnswer, refusal } from '../testing/answers.ts'
import type { Answer } from '../testing/answers.ts'
import { renderInApp } from '../testing/render-in-app.tsx'
import { useChange } from './use-change.ts'

function Refund({ amount }: { amount: string }) {
  const { send, isSending } = useChange()
  const path = '/v1/charges/1/refunds'
  const refund = () => send({ method: 'POST', path, body: { amount }, answer: v.unknown() })
  return (
    <button disabled={isSending.value} onClick={() => void refund()}>
      Refund {amount}
    </button>
  )
}

/** The keys of refunds of 10, 10 and 10, of which the first is answered so. */
async function keysAfter(first: Answer): Promise<(string | null)[]> {
  const { sent } = renderInApp(<Refund amount="10" />, {
    answers: { 'POST /v1/charges/1/refunds': [first, data({})] },
  })
  for (let time = 1; time <= 3; time += 1) {
    await person.click(screen.getByRole('button'))
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(false))
  }
  return sent.map(({ key }) => key)
}

describe('a change', () => {
  it.each([
    ['no answer', noAnswer],
    ['a fault', refusal(503, 'outcome_unknown', 'x')],
    ['the same request being under way', refusal(409, 'request_in_progress', 'x')],
  ])('that met %s is repeated under its key; what comes after its answer has a new one', async (_, first) => {
    expect(await keysAfter(first)).toEqual(['key-1', 'key-1', 'key-2'])
  })

  it.each([
    ['was made', data({})],
    ['was refused', refusal(422, 'transaction_declined', 'x')],
  ])('that %s is another act when it is asked for again', async (_, first) => {
    expect(await keysAfter(first)).toEqual(['key-1', 'key-2', 'key-3'])
  })
})
