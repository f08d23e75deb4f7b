import { screen } from '@testing-library/preact'
import { expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { ToastRegion } from '../components/feedback/toast-region.tsx'
import { data, refusal } from '../testing/answers.ts'
import type { Answers } from '../testing/answers.ts'
import { person } from '../testing/open-dashboard.ts'
import { renderInApp } from '../testing/render-in-app.tsx'
import { loadingTexts } from './texts.ts'
import { useUndo } from './use-undo.ts'

const Name = v.object({ name: v.string() })

function Renamed({ undone }: { undone: () => void }) {
  const show = useUndo()
  const done = () =>
    show('Renamed.', {
      path: '/api/company',
      schema: Name,
      isStill: ({ name }) => name === 'new',
      back: { method: 'PATCH', path: '/api/company', body: { name: 'old' } },
      undone,
    })
  return <button onClick={done}>Rename</button>
}

async function undo(answers: Answers) {
  const undone = vi.fn()
  const { sent } = renderInApp(
    <>
      <Renamed undone={undone} />
      <ToastRegion />
    </>,
    { answers: { 'PATCH /api/company': data({}), ...answers } },
  )
  await person.click(screen.getByRole('button', { name: 'Rename' }))
  await person.click(screen.getByRole('button', { name: 'Undo' }))
  const changes = () => sent.filter(({ line }) => line === 'PATCH /api/company').map(({ body }) => body)
  return { undone, changes }
}

it('what is as it was left is taken back', async () => {
  const { undone, changes } = await undo({ 'GET /api/company': data({ name: 'new' }) })
  await screen.findByText(loadingTexts.undone)
  expect(changes()).toEqual([{ name: 'old' }])
  expect(undone).toHaveBeenCalledTimes(1)
})

it('what somebody has changed since is left as it is', async () => {
  const { undone, changes } = await undo({ 'GET /api/company': data({ name: 'newer' }) })
  await screen.findByText(loadingTexts.changedSince)
  expect(changes()).toEqual([])
  expect(undone).not.toHaveBeenCalled()
})

it.each<[string, Answers]>([
  ['read', { 'GET /api/company': refusal(503, 'service_unavailable', 'Not now.') }],
  [
    'changed',
    {
      'GET /api/company': data({ name: 'new' }),
      'PATCH /api/company': refusal(403, 'forbidden', 'Not now.'),
    },
  ],
])('what can’t be %s is not said to be taken back', async (_act, answers) => {
  const { undone } = await undo(answers)
  await screen.findByText(/Not now|busy/)
  expect(undone).not.toHaveBeenCalled()
})
