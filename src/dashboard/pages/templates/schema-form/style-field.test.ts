import { screen } from '@testing-library/preact'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { isValueText } from '../../../../contract/page/value-text.ts'
import { data, refusal } from '../../../testing/answers.ts'
import type { Answers } from '../../../testing/answers.ts'
import { openDashboard, person } from '../../../testing/open-dashboard.ts'

// A browser takes a variable, for example, as a value of any property.
beforeEach(() => vi.stubGlobal('CSS', { supports: () => true }))
afterEach(() => vi.unstubAllGlobals())

const refused = () => screen.queryByText(/^This can’t be saved: /)

async function write(label: string, value: string, answers: Answers = {}) {
  await openDashboard('/templates/new?type=customisation', {
    answers: { 'GET /v1/checkouts/versions': data([]), ...answers },
  })
  const [field] = await screen.findAllByRole('textbox', { name: label })
  await person.type(field ?? document.body, value)
}

it.each([
  ['Text colour', 'var(--x)'],
  ['Typeface', 'Georgia; x'],
  ['Icon size', 'env(x, 24px)'],
])('%s: says while %s is written that it would not be saved', async (label, value) => {
  await write(label, value)
  expect(isValueText(value)).toBe(false)
  expect(refused()).not.toBeNull()
})

it('says it once where saving has refused it', async () => {
  const words = 'is not a CSS value that a form takes'
  const details = [{ path: 'content.styles.font_family', message: words }]
  await write('Typeface', 'Georgia; x', {
    'POST /v1/checkouts/templates': refusal(400, 'validation_error', 'Not valid.', details),
  })
  await person.click(screen.getByRole('button', { name: 'Create template' }))
  await screen.findByText(`This ${words}.`)
  expect(refused()).toBeNull()
})

it('says nothing of the kind of what would be saved', async () => {
  await write('Typeface', 'Georgia, serif')
  expect(refused()).toBeNull()
})
