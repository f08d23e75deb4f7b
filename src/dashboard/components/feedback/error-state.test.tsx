import { screen } from '@testing-library/preact'
import { expect, it, vi } from 'vitest'
import { serviceFailure } from '../../api/failure.ts'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { ErrorState } from './error-state.tsx'

const show = (status: number, error: Parameters<typeof serviceFailure>[1]) =>
  renderInApp(
    <ErrorState failure={serviceFailure({ status, isWorthRepeating: false }, error)} retry={vi.fn()} />,
  )
const retries = () => screen.queryAllByRole('button', { name: 'Try again' })

it('says which part of the address is wrong, and offers no retry that would fail again', () => {
  const details = [{ path: 'status', message: 'must be pending or complete' }]
  show(400, { code: 'validation_error', message: 'Correct what details names.', details })
  expect(screen.getByRole('alert').textContent).toContain('status must be pending or complete.')
  expect(screen.getByRole('alert').textContent).not.toContain('details')
  expect(retries()).toEqual([])
})

it('says of a wrong id that the address is wrong, and not what ids look like', () => {
  const details = [{ path: 'id', message: 'must be 24 hex characters' }]
  show(400, { code: 'validation_error', message: 'Correct what details names.', details })
  expect(screen.getByRole('alert').textContent).toMatch(/The address of this page/)
  expect(screen.getByRole('alert').textContent).not.toContain('hex')
})

it.each([
  [503, 'service_unavailable', 1],
  [404, 'not_found', 0],
  [403, 'forbidden', 0],
])('offers another try only where that may help: %s %s', (status, code, tries) => {
  show(status, { code, message: 'This did not work.' })
  expect(retries()).toHaveLength(tries)
})
