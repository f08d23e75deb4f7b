const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const TEENS = [
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const unit = `(?:oh|${UNITS.join('|')})`
const unitsInRow = new RegExp(`\\b${unit}(?:[\\s-]+${unit})*\\b`, 'gi')
const ten = new RegExp(`\\b(${TENS.join('|')})(?:[\\s-]+(${UNITS.slice(1).join('|')}))?\\b`, 'gi')
const teen = new RegExp(`\\b(?:${TEENS.join('|')})\\b`, 'gi')

/** A text with the English names of numbers below 100 as digits: what some keyboards write when a number is dictated. */
export function withSpokenDigits(text: string): string {
  // Most texts are digits alone, for which a key press does not wait for these searches.
  if (!/[a-z]/i.test(text)) return text
  return text
    .replace(ten, (_, tens: string, units: string | undefined) =>
      String(20 + 10 * placeIn(TENS, tens) + placeIn(UNITS, units ?? '')),
    )
    .replace(teen, (name) => String(10 + placeIn(TEENS, name)))
    .replace(unitsInRow, (row) =>
      row
        .split(/[\s-]+/)
        .map((name) => placeIn(UNITS, name))
        .join(''),
    )
    .replace(/\bslash\b/gi, '/')
}

/** The position of a name in its list; 0 for `oh` and for none. */
function placeIn(names: readonly string[], name: string): number {
  return Math.max(0, names.indexOf(name.toLowerCase()))
}
