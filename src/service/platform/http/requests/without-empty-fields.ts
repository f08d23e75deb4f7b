import type { GenericSchema } from 'valibot'

/**
 * A body without those optional fields of its schema that are `""` or null, as forms and typed clients send what nobody filled in
 * (contract §2). Fields that the schema does not have stay, so that it refuses them; so do those that it has as `exactOptional`,
 * where an empty value could be a lost one.
 */
export function withoutEmptyFields(schema: GenericSchema, body: unknown): unknown {
  const entries = entriesOf(schema)
  if (entries === null || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
      if (!isSchema(entry)) return [[name, value]]
      const isLeftOut = entry.type === 'optional' && (value === '' || value === null)
      return isLeftOut ? [] : [[name, withoutEmptyFields(innerOf(entry), value)]]
    }),
  )
}

/** The fields of an object's schema, by name; null for a schema of anything else. */
function entriesOf(schema: GenericSchema): Readonly<Record<string, unknown>> | null {
  return 'entries' in schema && isRecord(schema.entries) ? schema.entries : null
}

/** What an optional field is when it is there. */
function innerOf(schema: GenericSchema): GenericSchema {
  return schema.type === 'optional' && 'wrapped' in schema && isSchema(schema.wrapped)
    ? schema.wrapped
    : schema
}

function isSchema(value: unknown): value is GenericSchema {
  return isRecord(value) && value['kind'] === 'schema'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
