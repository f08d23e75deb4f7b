import { describe, expect, it } from 'vitest'
import { TEMPLATE_CONTENTS } from '../../../../contract/api/checkouts/checkout-template.ts'
import { templateKind } from '../template-kind.ts'
import { contentFaults, contentOf } from './content-of.ts'
import { valuesOf } from './field-values.ts'

const fieldOf = (type: 'configuration' | 'customisation') => {
  const kind = templateKind(type, 2)
  if (kind === null) throw new Error('version 2 is known')
  return kind.field
}

const CONFIGURATION = {
  schemes: ['visa', 'amex'],
  fields: [
    { field: 'email', required: true },
    { field: 'phone', required: false },
  ],
  gateway_id: '6b01799184f819f4cecbe1a7',
  capture: 'later',
  most_tries: 3,
}
const CUSTOMISATION = {
  texts: { title: 'Pay <b>', submit_button: 'Pay {amount}' },
  styles: { text_color: '#123' },
  element_styles: [
    { element: 'input', state: 'focus', styles: { color: 'red' } },
    { element: 'label', styles: {} },
  ],
  theme: 'soft',
  language: 'ar',
  show_reference: false,
}

describe('the texts of a form', () => {
  it.each([
    ['configuration', CONFIGURATION],
    ['customisation', CUSTOMISATION],
    ['configuration', {}],
    ['customisation', { show_reference: true }],
  ] as const)('come back as the same content of a %s', (type, content) => {
    const field = fieldOf(type)
    expect(contentOf(field, valuesOf(field, content, 'content'), 'content')).toEqual(content)
  })

  it('are named as the service names what is wrong', () => {
    expect(Object.keys(valuesOf(fieldOf('configuration'), CONFIGURATION, 'content'))).toEqual(
      expect.arrayContaining(['content.gateway_id', 'content.fields.1.field', 'content.most_tries']),
    )
  })

  it.each([
    [{ 'content.most_tries': 'three' }, 'content.most_tries', 'Write a whole number.'],
    [{ 'content.most_tries': '2.5' }, 'content.most_tries', 'Write a whole number.'],
    [{ 'content.most_tries': '11' }, 'content.most_tries', 'Must be 1 to 10.'],
    [{ 'content.gateway_id': 'main' }, 'content.gateway_id', 'Write an id: 24 digits and letters a to f.'],
  ])('%j: the fault at %s is said in words', (values, name, words) => {
    const schema = TEMPLATE_CONTENTS.configuration.get(2)
    const content = contentOf(fieldOf('configuration'), values, 'content')
    expect(schema && contentFaults(schema, content, 'content')).toEqual({ [name]: words })
  })

  it('may not be too long', () => {
    const schema = TEMPLATE_CONTENTS.customisation.get(1)
    const content = { texts: { title: 'x'.repeat(2001) } }
    expect(schema && contentFaults(schema, content, 'content')).toEqual({
      'content.texts.title': 'Write at most 2000 characters.',
    })
  })
})
