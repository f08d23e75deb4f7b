import type { Statement } from '../platform/database/statement.ts'

/** A statement for a test: its values are in the order of `$1`, `$2`, …, and their types are not checked. */
export const testStatement = <Row extends object = object>(
  name: string,
  text: string,
): Statement<readonly unknown[], Row> => ({ name, text, names: [], toParameters: (values) => [...values] })
