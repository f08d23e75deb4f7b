/** What would leave the line, change the order of what is read, or be a command to the terminal. */
const NOT_SHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu

/**
 * A line with texts that a merchant or another server has chosen, such as a company's name: its control characters stand as
 * `\u{1b}`, so that it can't draw lines of its own into a list, or give commands to the operator's terminal.
 */
export function onOneLine(line: string): string {
  return line.replace(NOT_SHOWN, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)
}
