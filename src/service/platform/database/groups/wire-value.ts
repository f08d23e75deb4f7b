/** A value as it goes to the server: as text, or its bytes. */
export type WireValue = string | Buffer | null

/** Throws on what no grouped statement is given: objects other than bytes, times and lists. JSON has to be text already. */
export function toWireValue(value: unknown): WireValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || Buffer.isBuffer(value)) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`
  throw new TypeError(`a statement was given a ${typeof value}`)
}

/** An element of an array, as PostgreSQL reads one (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function toElement(value: unknown): string {
  const element = toWireValue(value)
  if (element === null) return 'NULL'
  if (typeof element !== 'string' || Array.isArray(value)) throw new TypeError('a list of bytes or of lists')
  return `"${element.replace(/["\\]/g, '\\$&')}"`
}
