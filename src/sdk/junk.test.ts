import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { HtmlWidget } from './html-widget.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { callLoosely, loadedWidget, makeWidget, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()

/** Methods that never throw, whatever a page without types gives them. */
const CALM = [
  'setTexts',
  'setText',
  'setStyles',
  'setStyle',
  'setElementStyle',
  'setTheme',
  'setLayout',
  'setLanguage',
  'setFormFields',
  'setFormElements',
  'setFormElement',
  'setFormLabels',
  'setFormLabel',
  'setFormPlaceholders',
  'setFormPlaceholder',
  'setFormValues',
  'setFormValue',
  'updateFormValues',
  'updateFormValue',
  'setHiddenElements',
  'hideElements',
  'showElements',
  'setSupportedCardIcons',
  'setAutoAdvance',
  'setRefId',
  'setMeta',
  'useAutoResize',
  'focus',
  'clear',
  'hide',
  'show',
  'getEnv',
  'load',
  'getValidationState',
  'isValidForm',
  'isInvalidField',
  'isFieldErrorShowed',
  'isInvalidFieldByValidator',
] as const satisfies readonly (keyof HtmlWidget)[]

/** Methods that throw a TypeError, or a DOMException on a selector, for what can never work. */
const STRICT = ['on', 'off', 'setEnv', 'trigger', 'interceptSubmitForm', 'onFinishInsert'] as const

const JUNK = [undefined, null, true, 0, '', 'x', [], [null], [[]], {}, { field: 1 }, { signal: 1 }]
const values = fc.array(fc.oneof(fc.constantFrom(...JUNK), fc.jsonValue()), { maxLength: 3 })

describe.each(CALM)('%s', (method) => {
  it.each(JUNK.map((given) => [JSON.stringify(given), given]))('takes %s without a throw', (_, given) => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined)
    expect(() => callLoosely(makeWidget(), method, given)).not.toThrow()
  })
})

it('whatever is called with whatever, the next form gets settings that it takes', () => {
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const calls = fc.array(fc.tuple(fc.constantFrom(...CALM), values), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(calls, (list) => {
      const widget = makeWidget()
      for (const [method, given] of list) callLoosely(widget, method, ...given)
      void widget.load()
      // The frame of the test takes its greeting by the contract's schema, and throws on another.
      new FakeFrame().load()
      widget.destroy()
    }),
    { numRuns: 60 },
  )
})

it('a name that is an object without a text of its own is ignored, too', () => {
  const said = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const unnamed = { toString: [] }
  callLoosely(makeWidget(), 'setText', unnamed, 'x')
  callLoosely(makeWidget(), 'setFormFields', [unnamed])
  expect(said.mock.calls.map(([words]) => String(words).slice(0, 21))).toEqual([
    '[svc] ignored object.',
    '[svc] ignored object.',
  ])
})

it.each(STRICT)('%s throws nothing but the documented', (method) => {
  fc.assert(
    fc.property(values, (given) => {
      try {
        callLoosely(makeWidget(), method, ...given)
      } catch (error) {
        expect(error instanceof TypeError || error instanceof DOMException).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})

it('a list of one may come without its brackets', () => {
  const widget = makeWidget()
  callLoosely(widget, 'setHiddenElements', 'submit_button')
  callLoosely(widget, 'setFormElements', { field: 'email', label: 'Mail' })
  void widget.load()
  expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject({
    hidden: ['submit_button'],
    fields: [{ field: 'email', required: false }],
    labels: { email: 'Mail' },
  })
})

it('a reference that is too long is left out with a warning, and the form works', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const { frame } = await loadedWidget((widget) => widget.setRefId('r'.repeat(2001)))
  expect(warn.mock.calls[0]?.[0]).toMatch(/ref_id/)
  expect(frame.greeting.welcome.settings.ref_id).toBeUndefined()
})
