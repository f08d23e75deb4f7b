import { afterEach, expect, it, vi } from 'vitest'
import { applyStyles } from './apply-appearance.ts'

const root = document.documentElement
const valid: Record<string, RegExp> = {
  color: /^#|^rgb/,
  'padding-top': /^\d+(px)?$/,
  'border-radius': /px$/,
  'font-size': /px$|em$/,
  'font-family': /./,
}
vi.stubGlobal('CSS', { supports: (property: string, value: string) => valid[property]?.test(value) === true })
afterEach(() => root.removeAttribute('style'))

it('sets every style as a custom property', () => {
  const styles = { text_color: '#333', icon_size: '20px', font_family: 'Georgia, serif' }
  expect(applyStyles(document, styles)).toEqual([])
  expect(root.style.getPropertyValue('--text-color')).toBe('#333')
  expect(root.style.getPropertyValue('--icon-size')).toBe('20px')
  expect(root.style.getPropertyValue('--font-family')).toBe('Georgia, serif')
})

it('sizes are lengths, and a zero has its unit: others are computed from them', () => {
  const styles = {
    border_width: '0',
    field_height: 'auto',
    spacing: '8px',
    label_size: '14px',
    button_radius: '20px',
  }
  expect(applyStyles(document, styles)).toEqual(['field_height'])
  const values = ['--border-width', '--spacing', '--label-size', '--button-radius'].map((name) =>
    root.style.getPropertyValue(name),
  )
  expect(values).toEqual(['0px', '8px', '14px', '20px'])
})

it('leaves out what is no value of its property, and names it', () => {
  const styles = { button_color: 'red; x', font_size: 'huge', error_color: '#a00' }
  expect(applyStyles(document, styles)).toEqual(['button_color', 'font_size'])
  expect(root.style.getPropertyValue('--button-color')).toBe('')
  expect(root.style.getPropertyValue('--error-color')).toBe('#a00')
})
