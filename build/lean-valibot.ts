/**
 * The part of valibot that the schemas of the frame are declared with, without its messages: yes or no is all that the frame
 * asks of them. The frame's build puts it in valibot's place (3 kB of the 20 that the document may have); the test
 * beside it holds both against the frame's schemas and any message, and finds the same answer.
 */
type Output = unknown
interface Schema {
  (input: unknown): Output
  optional?: boolean
  entries?: Entries
}
type Entries = Record<string, Schema>

const NONE = Symbol()
const FORBIDDEN = ['__proto__', 'prototype', 'constructor']
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const only =
  (holds: (input: unknown) => boolean): Schema =>
  (input) =>
    holds(input) ? input : NONE

const shape = (entries: Entries, strict: boolean): Schema =>
  Object.assign(
    (input: unknown) => {
      if (typeof input !== 'object' || input === null) return NONE
      const output: Record<string, unknown> = {}
      for (const [key, schema] of Object.entries(entries)) {
        if (!(key in input) && schema.optional === true) continue
        output[key] = key in input ? schema(Reflect.get(input, key)) : NONE
        if (output[key] === NONE) return NONE
      }
      if (strict) for (const key in input) if (!(key in entries)) return NONE
      return output
    },
    { entries },
  )

/** @public */
export const string = () => only((input) => typeof input === 'string')
/** @public */
export const number = () => only((input) => typeof input === 'number' && !Number.isNaN(input))
/** @public */
export const boolean = () => only((input) => typeof input === 'boolean')
/** @public */
export const unknown = () => only(() => true)
/** @public */
export const literal = (value: unknown) => only((input) => input === value)
/** @public */
export const picklist = (values: readonly unknown[]) => only((input) => values.includes(input))
/** @public */
export const maxLength = (most: number) => only((input) => String(input).length <= most)
/** @public */
export const uuid = () => only((input) => UUID.test(String(input)))
/** @public */
export const object = (entries: Entries) => shape(entries, false)
/** @public */
export const strictObject = (entries: Entries) => shape(entries, true)
/** @public */
export const entriesFromList = (keys: readonly string[], schema: Schema): Entries =>
  Object.fromEntries(keys.map((key) => [key, schema]))

/** Of a strict object, the only kind that the contract makes partial. @public */
export const partial = ({ entries = {} }: Schema) =>
  strictObject(Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, optional(schema)])))

/** @public */
export const optional = (schema: Schema): Schema =>
  Object.assign((input: unknown) => (input === undefined ? input : schema(input)), { optional: true })

/** @public */
export const nullable =
  (schema: Schema): Schema =>
  (input) =>
    input === null ? input : schema(input)

/** @public */
export const pipe =
  (...steps: Schema[]): Schema =>
  (input) =>
    steps.reduce((output, step) => (output === NONE ? NONE : step(output)), input)

/** The first option that takes the input; valibot finds the same one by the key. @public */
export const variant =
  (_key: string, options: Schema[]): Schema =>
  (input) =>
    options.reduce<Output>((output, option) => (output === NONE ? option(input) : output), NONE)

/** @public */
export const array =
  (item: Schema): Schema =>
  (input) => {
    const output: unknown[] | null = Array.isArray(input) ? input.map(item) : null
    return output === null || output.includes(NONE) ? NONE : output
  }

/** @public */
export const record =
  (key: Schema, value: Schema): Schema =>
  (input) => {
    if (typeof input !== 'object' || input === null) return NONE
    const output: Record<string, unknown> = {}
    for (const [name, held] of Object.entries(input)) {
      if (FORBIDDEN.includes(name)) continue
      output[name] = key(name) === NONE ? NONE : value(held)
      if (output[name] === NONE) return NONE
    }
    return output
  }

/** @public */
export function safeParse(schema: Schema, input: unknown) {
  const output = schema(input)
  return { success: output !== NONE, output }
}
