import { expect, it } from 'vitest'
import type { PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'
import { takesAway } from './start-preview.ts'

const full: PreviewSettings = {
  texts: { title: 'Pay' },
  styles: { text_color: 'red' },
  element_styles: [{ element: 'input', state: 'focus', styles: { color: 'red', height: '40px' } }],
  theme: 'soft',
  fields: [{ field: 'email', required: true }],
}

it.each<[string, PreviewSettings]>([
  ['a text', { ...full, texts: {} }],
  ['all styles', { ...full, styles: undefined }],
  [
    'a property of an element',
    { ...full, element_styles: [{ element: 'input', state: 'focus', styles: { color: 'red' } }] },
  ],
  [
    'the state of an element',
    { ...full, element_styles: [{ element: 'input', styles: { color: 'red', height: '40px' } }] },
  ],
  ['the theme', { ...full, theme: undefined }],
  ['the fields', { ...full, fields: undefined }],
])('knows that %s is taken away', (_, after) => {
  expect(takesAway(full, after)).toBe(true)
})

it('takes other values and additions for what they are', () => {
  const after: PreviewSettings = {
    ...full,
    texts: { title: 'Buy', submit_button: 'Pay' },
    theme: 'outline',
    fields: [{ field: 'phone', required: false }],
  }
  expect(takesAway(full, after)).toBe(false)
  expect(takesAway({}, full)).toBe(false)
})
