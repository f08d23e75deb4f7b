import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { applyElementStyles } from './apply-appearance.ts'

vi.stubGlobal('CSS', { supports: (_property: string, value: string) => value !== 'nonsense' })
afterAll(() => vi.unstubAllGlobals())
afterEach(() => (document.adoptedStyleSheets = []))

const rules = () =>
  document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n')

it.each([
  [{ element: 'input', styles: { border_radius: '4px' } }, '#frame input', 'border-radius: 4px'],
  [{ element: 'input', state: 'focus', styles: { opacity: '0.9' } }, '#frame input:focus', 'opacity: 0.9'],
  [
    { element: 'input', state: 'error', styles: { margin: '1px' } },
    '#frame input[aria-invalid=true]',
    'margin: 1px',
  ],
  [
    { element: 'submit_button', state: 'hover', styles: { background_color: '#fff' } },
    '#frame [type=submit]:hover',
    '--fill: #fff',
  ],
  [{ element: 'input', styles: { border: '3px solid red' } }, '#frame input', '--edge: 3px'],
  [{ element: 'input', styles: { border: 'none' } }, '#frame input', '--edge: 0px'],
  [{ element: 'title', styles: { text_align: 'center' } }, '#frame .title', 'text-align: center'],
] as const)('%j is a rule for %s', (style, selector, declaration) => {
  expect(applyElementStyles(document, [style])).toEqual([])
  expect(rules()).toContain(`${selector} {`)
  expect(rules()).toContain(declaration)
})

it('puts a list in the place of the one before and names the values that are none', () => {
  applyElementStyles(document, [{ element: 'label', styles: { color: 'red' } }])
  const wrong = applyElementStyles(document, [
    { element: 'input', styles: { height: 'nonsense', color: 'red} *{display:none', padding: '9px' } },
  ])
  expect(wrong).toEqual(['input.color', 'input.height'])
  expect(rules()).toContain('padding: 9px')
  expect(rules()).not.toMatch(/label|display|nonsense/)
})
