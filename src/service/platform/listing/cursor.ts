/** Where a page of a list ended: the time and id of its last. */
export interface Position {
  createdAt: Date
  id: string
}

const form = /^([0-9a-z]{6,9})-([0-9a-f]{24})$/

/** A place → the cursor that a merchant hands back; times are to the millisecond, as stored. */
export function toCursor({ createdAt, id }: Position): string {
  return `${createdAt.getTime().toString(36)}-${id}`
}

/** The reverse; null if the text is not one of our cursors. */
export function positionOf(cursor: string): Position | null {
  const [, time, id] = form.exec(cursor) ?? []
  return time === undefined || id === undefined ? null : { createdAt: new Date(parseInt(time, 36)), id }
}
