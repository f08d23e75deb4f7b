import * as v from 'valibot'
import { text } from './text.ts'

/** Control characters, line breaks, and what turns the direction of the text around it. */
const DISORDERLY = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u
/** A character that is neither a space nor, as the zero width space, shown as nothing. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u

/**
 * Text that people read within other text, such as a name: as `text` has it, but one line that reads as it is written, with something
 * that can be seen. Any script will do, also one that is written from right to left.
 */
/* @__NO_SIDE_EFFECTS__ */
export const singleLineText = (max: number) =>
  v.pipe(
    text(max),
    v.check(
      (value) => !DISORDERLY.test(value),
      'must not hold control characters, line breaks or characters that override the direction of text',
    ),
    v.check((value) => value === '' || VISIBLE.test(value), 'must hold something that can be seen'),
  )
