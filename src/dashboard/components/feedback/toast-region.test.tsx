import { act, screen, within } from '@testing-library/preact'
import { signal } from '@preact/signals'
import { expect, it, vi } from 'vitest'
import { person } from '../../testing/open-dashboard.ts'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { ToastRegion } from './toast-region.tsx'

function start() {
  const isOpen = signal(false)
  const Page = () => (
    <>
      {isOpen.value && (
        <Dialog title="A question" close={() => (isOpen.value = false)}>
          …
        </Dialog>
      )}
      <ToastRegion />
    </>
  )
  return { ...renderInApp(<Page />), isOpen }
}

it('a toast appears once: on the page, in a dialog that is open, and on the page again', async () => {
  const { app, isOpen } = start()
  await act(() => app.toasts.show('Saved.'))
  expect(screen.getByText('Saved.').closest('dialog')).toBeNull()
  await act(() => void (isOpen.value = true))
  expect(within(screen.getByRole('dialog')).getByText('Saved.')).toBeDefined()
  expect(screen.getAllByText('Saved.')).toHaveLength(1)
  await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }))
  expect(screen.getByText('Saved.').closest('dialog')).toBeNull()
})

it('a toast that can be undone stays until that is done', async () => {
  const { app } = start()
  const undo = vi.fn()
  await act(() => app.toasts.show('Removed.', { undo }))
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledTimes(1)
  expect(screen.queryByText('Removed.')).toBeNull()
})
