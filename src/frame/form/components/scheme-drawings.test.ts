import { expect, it } from 'vitest'
import { CARD_ICONS } from '../../../contract/page/widget-appearance.ts'
import { SCHEME_DRAWINGS } from './scheme-icon.tsx'

it('draws each scheme, and none like another', () => {
  expect(Object.keys(SCHEME_DRAWINGS).sort()).toEqual([...CARD_ICONS].sort())
  const drawn = Object.values(SCHEME_DRAWINGS)
  const outlines = drawn.map(({ shapes = [], word }) => [shapes.map(([, path]) => path), word?.text])
  const told = drawn.map((drawing) => JSON.stringify(drawing))
  expect(new Set(told).size).toBe(told.length)
  // Mastercard and Maestro alone differ by colour only, as their owner has them.
  expect(new Set(outlines.map((outline) => JSON.stringify(outline))).size).toBe(drawn.length - 1)
})

it('has a place for each letter where it has places', () => {
  for (const { word } of Object.values(SCHEME_DRAWINGS))
    if (word?.middles !== undefined) expect(word.middles.split(' ')).toHaveLength(word.text.length)
})
