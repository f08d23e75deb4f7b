import type { Cents } from '../../../contract/api/fields/amount.ts'

/** A type of the database, with the TypeScript type of its values. */
export interface SqlType<Value> {
  /** As PostgreSQL names it. */
  sql: string
  isNullable: boolean
  /** The table allows null here; the statement's own `IS NOT NULL` rules it out. */
  isNarrowed?: true
  /** Only carries the TypeScript type. */
  value?: Value
}

/** Names with their types: what a statement is given, or the columns that it returns. */
export type SqlTypes = Readonly<Record<string, SqlType<unknown>>>

/** The values of such names. */
export type ValuesOf<Types extends SqlTypes> = {
  -readonly [Name in keyof Types]: Types[Name] extends SqlType<infer Value> ? Value : never
}

const named = <Value>(sql: string): SqlType<Value> => ({ sql, isNullable: false })

export const text = named<string>('text')
/** A text that is one of a few. */
export const textOf = <Value extends string>(): SqlType<Value> => named('text')
export const integer = named<number>('integer')
/** Counts, which fit a double exactly. */
export const bigint = named<number>('bigint')
/** An amount of money in cents, which is never mixed up with a count. */
export const cents = named<Cents>('bigint')
export const float8 = named<number>('double precision')
export const bool = named<boolean>('boolean')
export const bytea = named<Buffer>('bytea')
export const timestamptz = named<Date>('timestamp with time zone')
/** Objects; a value is made into JSON on its way to the database. */
export const json = <Value extends object>(): SqlType<Value> => named('json')
export const jsonb = <Value extends object>(): SqlType<Value> => named('jsonb')

export const arrayOf = <Value>({ sql }: SqlType<Value>): SqlType<readonly Value[]> => named(`${sql}[]`)

export const nullable = <Value>({ sql }: SqlType<Value>): SqlType<Value | null> => ({
  sql,
  isNullable: true,
})

/** Of a column that may be null in its table, in a statement whose condition says that it is not. */
export const notNull = <Value>({ sql }: SqlType<Value>): SqlType<Value> => ({
  sql,
  isNullable: false,
  isNarrowed: true,
})
