import { expect, it } from 'vitest'
import { CARD_ICONS } from '../../../contract/page/widget-appearance.ts'
import { SCHEME_DRAWINGS } from './scheme-icon.tsx'

it('draws each scheme, and none like another', () => {
  expect(Object.keys(SCHEME_DRAWINGS).sort()).toEqual([...CARD_ICONS].sort())
  const drawn = Object.values(SCHEME_DRAWINGS)
  const outlines = drawn.map(({ shapes = [], lines = [] }) => [
    shapes.map(([, path]) => path),
    lines.map(([, , path]) => path),
  ])
  const told = drawn.map((drawing) => JSON.stringify(drawing))
  expect(new Set(told).size).toBe(told.length)
  // Mastercard and Maestro alone differ by colour only, as their owner has them.
  expect(new Set(outlines.map((outline) => JSON.stringify(outline))).size).toBe(drawn.length - 1)
})

it('draws each scheme in fewer than 500 bytes', () => {
  for (const drawing of Object.values(SCHEME_DRAWINGS))
    expect(JSON.stringify(drawing).length).toBeLessThan(500)
})
