import { screen, within } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { openDashboard, person } from '../testing/open-dashboard.ts'

const open = async () => {
  await openDashboard('/profile')
  await screen.findByRole('heading', { name: 'My profile' })
  await person.keyboard('?')
  return within(screen.getByRole('dialog', { name: 'Keyboard shortcuts' }))
}

describe('the list of shortcuts', () => {
  it('is opened by ? and names each of the page', async () => {
    const dialog = await open()
    expect(dialog.getByText('Show the keyboard shortcuts').nextElementSibling?.textContent).toBe('?')
    expect(dialog.getByText('Close a dialog or menu').nextElementSibling?.textContent).toBe('Esc')
  })

  it('can be told to leave single keys alone', async () => {
    const dialog = await open()
    await person.click(dialog.getByLabelText('Use single-key shortcuts'))
    await person.click(dialog.getByRole('button', { name: 'Close' }))
    await person.keyboard('?')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
