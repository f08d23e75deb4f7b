import type { Statement } from '../platform/database/statement.ts'

/** A statement of a test's own: its values stand in the order of `$1`, `$2`, …, and nothing checks their types. */
export const testStatement = <Row extends object = object>(
  name: string,
  text: string,
): Statement<readonly unknown[], Row> => ({ name, text, names: [], toParameters: (values) => [...values] })
