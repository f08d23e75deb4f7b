import { expect, it } from 'vitest'
import { schemeFor } from './apply-appearance.ts'

it.each([
  [{ text: 'rgb(51, 51, 51)' }, 'light'],
  [{ text: 'rgb(136, 136, 136)' }, 'light'],
  [{ text: 'rgb(255, 255, 255)' }, 'dark'],
  [{ background: 'rgb(255, 248, 231)' }, 'light'],
  [{ background: 'rgb(0, 0, 0)' }, 'dark'],
  [{ background: 'rgba(0, 0, 0, 0)' }, 'light dark'],
  [{ text: 'color(srgb 0.2 0.2 0.2)' }, 'light dark'],
])('%o belongs to %s', (color, scheme) => {
  expect(schemeFor(color)).toBe(scheme)
})
