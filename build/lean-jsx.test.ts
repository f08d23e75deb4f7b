import { jsx as full } from 'preact/jsx-runtime'
import { expect, it } from 'vitest'
import { jsx } from './lean-jsx.ts'

it.each([
  ['p', { class: 'hint', children: 'Enter it' }, undefined],
  ['ul', { children: [] }, 'k'],
] as const)('makes the element that Preact’s own runtime makes: %s', (type, props, key) => {
  const made = jsx(type, props, key)
  expect(made).toMatchObject({ type: full(type, props, key).type, props })
  expect(made.key).toBe(key)
})
