import { expect, it } from 'vitest'
import { mergedSettings } from './merged-settings.ts'

it.each([
  [{}, { texts: { title: 'a' } }, { texts: { title: 'a' } }],
  [{ texts: { title: 'a' } }, { texts: { title_h1: 'b' } }, { texts: { title: 'a', title_h1: 'b' } }],
  [{ styles: { text_color: 'red' } }, { styles: { text_color: 'blue' } }, { styles: { text_color: 'blue' } }],
  [{ values: { email: 'a' }, theme: 'soft' }, { theme: 'plain' }, { values: { email: 'a' }, theme: 'plain' }],
  [{ hidden: ['submit_button'] }, { hidden: ['phone'] }, { hidden: ['phone'] }],
] as const)('%j and then %j make %j', (before, change, after) => {
  expect(mergedSettings(structuredClone<object>(before), structuredClone<object>(change))).toEqual(after)
})
