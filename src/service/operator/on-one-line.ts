/** Characters that would begin a new line, change the reading order, or be commands to the terminal. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/**
 * A line with texts that a merchant or another server has chosen, such as a company's name: its control characters are written as
 * `\u{1b}`, so that they can neither add lines to a list nor send commands to the operator's terminal.
 */
export function onOneLine(line: string): string {
  return line.replace(NOT_SHOWN, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)
}
