import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { useSignal } from '@preact/signals'
import * as v from 'valibot'
import { failureOf } from '../api/api.ts'
import { person } from '../testing/open-dashboard.ts'
import { data, noAnswer, refusal, worthRepeating } from '../testing/answers.ts'
import type { Answer } from '../testing/answers.ts'
import { renderInApp } from '../testing/render-in-app.tsx'
import { useChange } from './use-change.ts'

function Refunds({ amounts }: { amounts: readonly string[] }) {
  const { send, isSending } = useChange()
  const words = useSignal('')
  const path = '/v1/charges/1/refunds'
  const refund = async (amount: string) => {
    words.value =
      failureOf(await send({ method: 'POST', path, body: { amount }, answer: v.unknown() }))?.words ?? ''
  }
  return (
    <>
      {amounts.map((amount) => (
        <button key={amount} disabled={isSending.value} onClick={() => void refund(amount)}>
          Refund {amount}
        </button>
      ))}
      <p role="alert">{words}</p>
    </>
  )
}

async function press(name: RegExp) {
  await person.click(screen.getByRole('button', { name }))
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false))
}

/** The keys of refunds of 10 under these answers, and of two more. */
async function keysAfter(...first: Answer[]): Promise<(string | null)[]> {
  const { sent } = renderInApp(<Refunds amounts={['10']} />, {
    answers: { 'POST /v1/charges/1/refunds': [...first, data({})] },
  })
  for (let time = 1; time <= first.length + 2; time += 1) await press(/10$/)
  return sent.filter(({ line }) => line.startsWith('POST')).map(({ key }) => key)
}

describe('a change', () => {
  it.each([
    ['no answer', noAnswer],
    ['a fault', worthRepeating(refusal(503, 'outcome_unknown', 'x'))],
    ['the same request being under way', refusal(409, 'request_in_progress', 'x')],
  ])('that met %s is repeated under its key; what comes after its answer has a new one', async (_, first) => {
    expect(await keysAfter(first)).toEqual(['key-1', 'key-1', 'key-2'])
  })

  it.each([
    ['was made', data({})],
    ['was refused', refusal(422, 'transaction_declined', 'x')],
    ['nobody can tell of any more', refusal(503, 'outcome_unknown', 'x')],
  ])('that %s is another act when it is asked for again', async (_, first) => {
    expect(await keysAfter(first)).toEqual(['key-1', 'key-2', 'key-3'])
  })

  it.each([
    ['no network', noAnswer, false],
    ['another merchant in view', refusal(403, 'forbidden', 'x'), true],
    ['too many requests', refusal(429, 'rate_limited', 'x'), true],
  ])('whose repeat meets %s is still not known to be undone', async (_, second, isOnline) => {
    const { app, sent } = renderInApp(<Refunds amounts={['10']} />, {
      answers: {
        'POST /v1/charges/1/refunds': [noAnswer, second, data({})],
      },
    })
    await press(/10$/)
    vi.spyOn(app.browser, 'online').mockReturnValue(isOnline)
    await press(/10$/)
    expect(screen.getByRole('alert').textContent).toMatch(/the first time is still unknown\.$/)
    await press(/10$/)
    expect(sent.filter(({ line }) => line.startsWith('POST')).map(({ key }) => key)).toEqual([
      'key-1',
      'key-1',
      'key-1',
    ])
  })

  it('that nobody can tell of any more is looked for before it is made again', async () => {
    renderInApp(<Refunds amounts={['10']} />, {
      answers: { 'POST /v1/charges/1/refunds': refusal(503, 'outcome_unknown', 'x') },
    })
    await press(/10$/)
    expect(screen.getByRole('alert').textContent).toMatch(/try again only if it was not\.$/)
  })

  it('whose line was lost on its way is repeated under its key', async () => {
    const { app, sent } = renderInApp(<Refunds amounts={['10']} />, {
      answers: { 'POST /v1/charges/1/refunds': [noAnswer, data({})] },
    })
    vi.spyOn(app.browser, 'online').mockReturnValueOnce(true).mockReturnValueOnce(false)
    await press(/10$/)
    expect(screen.getByRole('alert').textContent).toMatch(/unknown whether this was done/)
    await press(/10$/)
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-1'])
  })

  it('keeps its key while another one is made', async () => {
    const { sent } = renderInApp(<Refunds amounts={['10', '20']} />, {
      answers: { 'POST /v1/charges/1/refunds': [noAnswer, data({}), data({})] },
    })
    for (const name of [/10$/, /20$/, /10$/]) await press(name)
    expect(sent.map(({ key }) => key)).toEqual(['key-1', 'key-2', 'key-1'])
  })
})
