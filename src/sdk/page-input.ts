/**
 * What a page without types may give to the widget, refused at once with words for its developer.
 */
export function elementOf(container: string | Element): Element {
  const element = typeof container === 'string' ? document.querySelector(container) : container
  if (element) return element
  throw new TypeError(
    `The card form was given no place to go: ${nameOf(container)} matches nothing in this page.`,
  )
}

/** The page's own form. */
export function formOf(form: string | HTMLFormElement): HTMLFormElement {
  const element = typeof form === 'string' ? document.querySelector(form) : form
  if (element instanceof HTMLFormElement) return element
  throw new TypeError(`There is no form whose submit could be held: ${nameOf(form)} is none in this page.`)
}

/** Throws unless a constant has such a value. */
export function checkOneOf(what: string, known: Record<string, string>, given: string): void {
  const names = Object.values(known)
  if (!names.includes(given)) throw new TypeError(`Unknown ${what} "${given}". Known: ${names.join(', ')}.`)
}

function nameOf(given: unknown): string {
  return typeof given === 'string' ? `the selector "${given}"` : 'the given element'
}
