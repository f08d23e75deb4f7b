import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { TEMPLATE_CONTENTS } from '../../../../contract/api/checkouts/checkout-template.ts'
import { contentField } from './schema-field.ts'

const fieldsOf = (schema: v.GenericSchema | undefined) => contentField(schema ?? v.strictObject({})).entries

describe('the field of a schema', () => {
  it.each(
    Object.entries(TEMPLATE_CONTENTS).flatMap(([type, versions]) =>
      [...versions].map(([version, schema]) => [type, version, schema] as const),
    ),
  )('is made for every place of a %s of version %i', (_type, _version, schema) => {
    expect(fieldsOf(schema).length).toBeGreaterThan(3)
  })

  it('says of a configuration what can be chosen, how much, and what holds without a choice', () => {
    const fields = Object.fromEntries(
      fieldsOf(TEMPLATE_CONTENTS.configuration.get(2)).map((entry) => [entry.name, entry]),
    )
    expect(fields['schemes']?.field).toMatchObject({ kind: 'ticks' })
    expect(fields['capture']).toMatchObject({
      field: { kind: 'choice', options: ['now', 'later'] },
      isRequired: false,
      fallback: 'now',
    })
    expect(fields['most_tries']?.field).toEqual({ kind: 'number', min: 1, max: 10 })
    expect(fields['fields']?.field).toMatchObject({
      kind: 'rows',
      max: 16,
      row: {
        entries: [
          { name: 'field', isRequired: true },
          { field: { kind: 'yes_no' }, isRequired: true },
        ],
      },
    })
  })

  it('is not made of a schema that it does not know', () => {
    expect(() => contentField(v.strictObject({ when: v.date() }))).toThrow('date')
  })
})
