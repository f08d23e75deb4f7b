import { expect, it } from 'vitest'
import { isValueText } from './value-text.ts'

it('takes a time that grows with the text, and no faster: merchants send them', () => {
  const begun = performance.now()
  expect(isValueText('a'.repeat(100_000))).toBe(true)
  expect(isValueText(`${'a'.repeat(100_000)}(1)`)).toBe(false)
  expect(performance.now() - begun).toBeLessThan(1000)
})
