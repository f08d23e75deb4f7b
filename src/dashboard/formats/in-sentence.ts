/** Marks by which a text turns the direction of what follows it (Unicode UAX #9, "Directional Formatting Characters"). */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * A text that a shopper or one of the merchant's people has set, such as a name, for use within one of our sentences: it can't reverse
 * the words and amounts after it. In an element of its own such a text stays as it is, within `<bdi>`.
 */
export function inSentence(text: string): string {
  return text.replace(DIRECTION_MARKS, '')
}
