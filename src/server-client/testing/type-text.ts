/** A piece of the API's description, as it was read. */
export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a name, or nothing where there is no object or no such name. */
export const within = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whose properties are printed. A request may leave out what is optional by `undefined`, too. */
type Side = 'request' | 'answer'

/**
 * Optional fields of requests that must not be lost unseen: without `amount` everything is captured or refunded, without
 * `capture` a hold is a sale (contract §2, "Empty fields").
 */
const NEVER_UNDEFINED = ['amount', 'capture']

/** A JSON Schema (2020-12), as the API's description has them, as a type of TypeScript. */
export function typeText(schema: unknown, side: Side): string {
  if (!isJson(schema)) return 'unknown'
  if (typeof schema['$ref'] === 'string') return schema['$ref'].replace(/^.*\//, '')
  if ('const' in schema) return JSON.stringify(schema['const'])
  if ('enum' in schema) return unionOf(listOf(schema['enum']).map((value) => JSON.stringify(value)))
  const choices = listOf(schema['anyOf'] ?? schema['oneOf'])
  if (choices.length > 0) return unionOf(choices.map((choice) => typeText(choice, side)))
  if ('not' in schema) return 'never'
  const types = [schema['type']].flat()
  return unionOf(types.map((type) => textOfType(type, schema, side)))
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function textOfType(type: unknown, schema: Json, side: Side): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      return `(${typeText(schema['items'], side)})[]`
    case 'object':
      return isJson(schema['properties']) ? `{\n${membersText(schema, side)}}` : recordText(schema, side)
    default:
      return 'unknown'
  }
}

function recordText({ additionalProperties: values }: Json, side: Side): string {
  return `Record<string, ${isJson(values) ? typeText(values, side) : 'unknown'}>`
}

/** The properties of an object, each with its words. */
export function membersText(schema: Json, side: Side): string {
  const required = listOf(schema['required'])
  return Object.entries(isJson(schema['properties']) ? schema['properties'] : {})
    .map(([name, inner]) => {
      const isOptional = !required.includes(name)
      const mayBeUndefined = isOptional && side === 'request' && !NEVER_UNDEFINED.includes(name)
      const type = typeText(inner, side) + (mayBeUndefined ? ' | undefined' : '')
      return `${commentOf(within(inner, 'description'))}${keyOf(name)}${isOptional ? '?' : ''}: ${type}\n`
    })
    .join('')
}

const keyOf = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`)

/** Words as a comment of one or more lines; nothing where there are none. */
export function commentOf(words: unknown): string {
  if (typeof words !== 'string') return ''
  const lines = words.replaceAll('*/', '*\\/').split(/\n+/)
  return lines.length === 1
    ? `/** ${words} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}
