import { screen, waitFor } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { localFailure } from '../../api/failure.ts'
import type { Failure } from '../../api/failure.ts'
import { person } from '../../testing/open-dashboard.ts'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { Checkbox } from './checkbox.tsx'
import { requiredFault } from './checks.ts'
import { Form } from './form.tsx'
import { Select } from './select.tsx'
import { TextField } from './text-field.tsx'
import { TICKED, useForm } from './use-form.ts'

const KINDS = [
  { value: 'a', words: 'First' },
  { value: 'b', words: 'Second' },
]

function Example({ send }: { send: (values: object) => Promise<Failure | null> }) {
  const form = useForm({
    initial: { name: '', kind: 'a', receipt: TICKED },
    check: ({ name }) => ({ name: requiredFault(name) }),
    send,
  })
  return (
    <Form form={form} submit="Save">
      <TextField form={form} name="name" label="Name" hint="As on the card" />
      <Select form={form} name="kind" label="Kind" options={KINDS} />
      <Checkbox form={form} name="receipt" label="Send a receipt" />
    </Form>
  )
}

const name = () => screen.getByLabelText('Name')
const save = () => person.click(screen.getByRole('button', { name: 'Save' }))
/** What describes a field for a screen reader. */
const described = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent.trim() ?? '')
    .join(' ')

describe('a form', () => {
  it('sends what is in its fields', async () => {
    const send = vi.fn(() => Promise.resolve(null))
    renderInApp(<Example send={send} />)
    await person.type(name(), 'Grace')
    await person.selectOptions(screen.getByLabelText('Kind'), 'Second')
    await person.click(screen.getByLabelText('Send a receipt'))
    await save()
    expect(send).toHaveBeenCalledWith({ name: 'Grace', kind: 'b', receipt: '' })
  })

  it('is not sent with a fault, which stands at its field until that is edited', async () => {
    const send = vi.fn(() => Promise.resolve(null))
    renderInApp(<Example send={send} />)
    await save()
    expect(send).not.toHaveBeenCalled()
    await waitFor(() => expect(document.activeElement).toBe(name()))
    expect(described(name())).toBe('As on the card Fill this in.')
    await person.type(name(), 'G')
    expect(name().getAttribute('aria-invalid')).toBe('false')
    expect(described(name())).toBe('As on the card ')
  })

  it('is sent once, however often its button is pressed', async () => {
    let answer: (failure: null) => void = () => undefined
    const send = vi.fn(() => new Promise<null>((settle) => (answer = settle)))
    renderInApp(<Example send={send} />)
    await person.type(name(), 'Grace')
    await save()
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBe('true')
    await save()
    await person.type(name(), '{Enter}')
    expect(send).toHaveBeenCalledOnce()
    answer(null)
    await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-busy')).toBe('false'))
  })

  it('shows what the service refuses, at the field where it has one', async () => {
    const words = 'The request is not valid.'
    const failure = (path: string): Failure => ({
      code: 'validation_error',
      words,
      details: [{ path, message: 'Is taken.' }],
      isUnknown: false,
    })
    const send = vi.fn().mockResolvedValueOnce(failure('name')).mockResolvedValueOnce(failure('elsewhere'))
    renderInApp(<Example send={send} />)
    await person.type(name(), 'Grace')
    await save()
    await waitFor(() => expect(described(name())).toContain('Is taken.'))
    expect(screen.getByRole('alert').textContent).toBe('Correct what is marked, then try again.')
    await save()
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(`${words} elsewhere: Is taken.`))
    expect(name().getAttribute('aria-invalid')).toBe('false')
  })

  it('says what else went wrong, and takes it away when it is sent again', async () => {
    const send = vi.fn().mockResolvedValueOnce(localFailure('timeout')).mockResolvedValueOnce(null)
    renderInApp(<Example send={send} />)
    await person.type(name(), 'Grace')
    await save()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toMatch(/took too long/)
    await save()
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})
